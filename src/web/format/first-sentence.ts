/** Parts what happened from what follows from it. A point inside a word, as in an address, ends no sentence. */
export function firstSentence(text: string): { first: string; rest: string } {
  const [, first = text, rest = ""] = /^(.+?[.!?])\s+(.+)$/s.exec(text) ?? [];
  return { first, rest };
}
