/** "1 message", "3 messages". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** "One", "Three", "12": figures up to ten open a sentence as words. */
export const opening = (count: number): string => words[count] ?? String(count);

const words = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];
