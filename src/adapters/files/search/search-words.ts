import { wordsOf } from "../index/fold.ts";

/**
 * Scripts that are written without spaces. Their letters are indexed one by one and looked for as a sequence, so that every
 * word of such a text is found, however short. A trigram index would do that too, but at several times the size, and not
 * for words of two letters, which most of them are.
 */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/gu;

/** Text as the full-text index gets it. Case and accents are the index's own business. */
export const indexedText = (text: string): string => text.normalize("NFKC").replaceAll(unspaced, " $& ");

/**
 * A search as the full-text index asks it: all words, in any order, the last one perhaps not finished. Null where there is
 * nothing to look for. What people write is only ever inside quotes, where it has no meaning but itself.
 */
export function searchExpression(search: string): string | null {
  const words = wordsOf(search).filter((word) => isWordLike.test(word));
  const phrases = words.map((word) => `"${indexedText(word).replaceAll('"', " ").replaceAll(control, " ")}"`);
  const last = words.at(-1) ?? "";
  // The beginning of a word may stand for very many; a letter or two would stand for half of everything.
  const isBeginning = last.length >= shortestBeginning;
  return phrases.length === 0 ? null : `${phrases.join(" ")}${isBeginning ? "*" : ""}`;
}

/** The parts of a search that can be seen in a text, folded like it. */
export const markedWords = (search: string): string[] => [
  ...new Set(wordsOf(search).flatMap((word) => foldLetters(word).match(/[\p{L}\p{N}]+/gu) ?? [])),
];

/** Letters without case and accents. */
export const foldLetters = (text: string): string => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

const isWordLike = /[\p{L}\p{N}]/u;
const control = /\p{Cc}/gu;
const shortestBeginning = 2;
