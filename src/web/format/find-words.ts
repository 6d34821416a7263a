/** Where the words of a search are in a text, in order and without overlap. Case and accents do not count. */
export function findWords(text: string, words: string): [number, number][] {
  const folded = Array.from(text, foldLetter);
  // A letter may fold into none or several; then places in one are not places in the other.
  if (folded.some((letter) => letter.length !== 1) || folded.length !== text.length) return [];
  const line = folded.join("");
  const found = words
    .split(/\s+/)
    .map((word) => Array.from(word, foldLetter).join(""))
    .filter((word) => word !== "")
    .flatMap((word) => placesOf(line, word))
    .toSorted(([a], [b]) => a - b);
  return found.filter(([from], at) => found.slice(0, at).every(([, to]) => to <= from));
}

const foldLetter = (letter: string): string => letter.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

function placesOf(line: string, word: string): [number, number][] {
  const places: [number, number][] = [];
  for (let at = line.indexOf(word); at !== -1; at = line.indexOf(word, at + word.length)) places.push([at, at + word.length]);
  return places;
}
