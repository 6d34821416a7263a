import type { Condition } from "../script.ts";

const openings = [
  "",
  "show me ",
  "show me a ",
  "show me an ",
  "show me the ",
  "show me some ",
  "give me a ",
  "give me the ",
  "take the ",
  "start the ",
];
const endings = ["", ".", "!", "?", " please", ", please"];

/** Holds for these words and little around them. A word somewhere in a longer sentence is no request for the demo of that name. */
export const saying = (...words: string[]): Condition => ({
  userMatches: words.flatMap((word) => openings.flatMap((opening) => endings.map((ending) => `${opening}${word}${ending}`))),
});
