/** "1 message", "3 messages". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** "One", "Three", "12": figures up to ten open a sentence as words. */
export const opening = (count: number): string => words[count] ?? String(count);

const words = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

/** Costs under a cent keep the figures that tell them from nothing. */
export const money = (usd: number): string => (usd > 0 && usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`);
