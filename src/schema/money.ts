/** "$0.00", "$0.0042", "$1.50": cents, and more figures where there is less than one, which tell it from nothing. */
export function money(usd: number): string {
  if (usd > 0 && usd < 0.0001) return "<$0.0001";
  return `$${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)}`;
}
