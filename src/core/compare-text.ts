/** By the numbers of the characters, so that the order is the same on every machine and in every language. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
