import { foldLetters, markedWords } from "./search-words.ts";

/** A piece of a text around words that were looked for, and from where to where they are in it. */
export type Snippet = { text: string; marks: [number, number][] };

const longest = 160;
const before = 40;
/** What is looked at of one message; beyond that the words are found but not shown. */
const lookedAt = 200_000;

export function snippetOf(text: string, search: string): Snippet {
  const plain = text
    .slice(0, lookedAt)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const folded = foldWithPlaces(plain);
  const found = markedWords(search).map((word) => placesOf(word, folded));
  // Where the rarest word is, the others are likely to be near it.
  const rarest = found.filter((places) => places.length > 0).toSorted((a, b) => a.length - b.length)[0];
  const start = wordStart(plain, (rarest?.[0]?.[0] ?? 0) - before);
  const end = wholeEnd(plain, start + longest);
  const lead = start > 0 ? "…" : "";
  const marks = found
    .flat()
    .filter(([from, to]) => from >= start && to <= end)
    .toSorted((a, b) => a[0] - b[0])
    .filter(([from], at, all) => at === 0 || from >= (all[at - 1]?.[1] ?? 0))
    .map(([from, to]): [number, number] => [from - start + lead.length, to - start + lead.length]);
  return { text: `${lead}${plain.slice(start, end)}${end < plain.length ? "…" : ""}`, marks };
}

type Folded = { text: string; places: number[] };

/** Folding may make one letter two or none, so each folded letter knows where it came from. */
function foldWithPlaces(plain: string): Folded {
  // Most text folds letter by letter, and then a place is the place itself.
  let text = "";
  const places: number[] = [];
  let at = 0;
  for (const letter of plain) {
    const folded = letter < "\u0080" ? letter.toLowerCase() : foldLetters(letter);
    text += folded;
    for (let each = 0; each < folded.length; each += 1) places.push(at);
    at += letter.length;
  }
  places.push(at);
  return { text, places };
}

const mostPlaces = 50;

/** Where a word begins a word of the text, or stands in a text without spaces. */
function placesOf(word: string, { text, places }: Folded): [number, number][] {
  const found: [number, number][] = [];
  for (let at = text.indexOf(word); at !== -1 && found.length < mostPlaces; at = text.indexOf(word, at + word.length)) {
    const isInside = /[\p{L}\p{N}]/u.test(text.charAt(at - 1)) && word.charCodeAt(0) < 0x0e00;
    if (!isInside) found.push([places[at] ?? 0, places[at + word.length] ?? 0]);
  }
  return found;
}

/** The nearest beginning of a word at or after a place, if there is one soon. */
function wordStart(text: string, place: number): number {
  if (place <= 0) return 0;
  const space = text.slice(place, place + before / 2).indexOf(" ");
  return space === -1 ? wholeEnd(text, place) : place + space + 1;
}

/** Not between the halves of one character. */
const wholeEnd = (text: string, place: number): number => (/[\uDC00-\uDFFF]/.test(text.charAt(place)) ? place + 1 : place);
