/** The number a text means; the text itself where it means none, or one that would not survive as it was typed. */
export function numberOf(text: string): number | string {
  const trimmed = text.trim();
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return text;
  const number = Number(trimmed);
  const isWhole = /^[+-]?\d+$/.test(trimmed);
  return Number.isFinite(number) && (!isWhole || Number.isSafeInteger(number)) ? number : text;
}
