/** What a person wrote as an amount: "5", "5.50", "$5", "5,50". Null where it is none, or nothing. */
export function readDollars(text: string): number | null {
  const figures = text
    .trim()
    .replace(/^\$\s*/, "")
    .replace(",", ".");
  const amount = /^\d{1,7}(?:\.\d{1,4})?$/.test(figures) ? Number(figures) : 0;
  return amount > 0 ? amount : null;
}

/** A limit to go on with: about twice what there was, in round figures, and above what is spent. */
export function higherLimit({ limitUsd, spentUsd }: { limitUsd: number; spentUsd: number }): number {
  const least = Math.max(2 * limitUsd, 1.5 * spentUsd, 0.01);
  const step = 10 ** Math.floor(Math.log10(least)) / 2;
  return Number((Math.ceil(least / step - 1e-9) * step).toFixed(4));
}
