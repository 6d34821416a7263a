/** Longer than any description, so longer than any pattern that could be meant. */
export const maxPatternLength = 500;

/**
 * Answers whether a text fits the pattern as a whole: `*` is any characters, also none, also `/` and a leading dot; `?` is one
 * character; everything else is itself.
 *
 * The pattern is read as a machine whose states are bits: state i means that i characters of the pattern are matched. All
 * states advance together, 32 in one step, so no pattern makes it go back: the time is length of text × length of pattern / 32.
 */
export function compileGlob(pattern: string): (text: string) => boolean {
  const { characters, loops } = readPattern(pattern);
  const words = Math.ceil((characters.length + 1) / 32);
  const stays = bits(words, loops);
  const anything = bits(words, positions(characters, null));
  const fits = new Map<number, Uint32Array>();
  for (const one of new Set(characters)) {
    if (one !== null) fits.set(one, bits(words, [...positions(characters, one), ...positions(characters, null)]));
  }
  // Of all texts: memory that is asked for anew with each character takes longer than the matching.
  const states = new Uint32Array(words);
  const isMatched = (): boolean => (((states[characters.length >>> 5] ?? 0) >>> (characters.length & 31)) & 1) === 1;
  const endsInStar = loops.includes(characters.length);

  return (text) => {
    states.fill(0);
    states[0] = 1;
    for (let index = 0; index < text.length; index += 1) {
      if (endsInStar && isMatched()) return true;
      const one = text.codePointAt(index) ?? 0;
      if (one > 0xffff) index += 1;
      if (!advance(states, fits.get(one) ?? anything, stays)) return false;
    }
    return isMatched();
  };
}

/** The characters of the pattern as code points, null for `?`, and the states in which a `*` lets any character pass. */
function readPattern(pattern: string): { characters: (number | null)[]; loops: number[] } {
  const characters: (number | null)[] = [];
  const loops: number[] = [];
  for (const one of pattern) {
    if (one === "*") loops.push(characters.length);
    else characters.push(one === "?" ? null : (one.codePointAt(0) ?? 0));
  }
  return { characters, loops };
}

const positions = (characters: (number | null)[], wanted: number | null): number[] =>
  characters.flatMap((one, index) => (one === wanted ? [index] : []));

function bits(words: number, set: number[]): Uint32Array {
  const all = new Uint32Array(words);
  for (const index of set) all[index >>> 5] = (all[index >>> 5] ?? 0) | (1 << (index & 31));
  return all;
}

/** Whoever fits the character moves on by one, whoever is at a star may stay as well. False when nobody is left. */
function advance(states: Uint32Array, fits: Uint32Array, stays: Uint32Array): boolean {
  let carried = 0;
  let left = 0;
  for (let index = 0; index < states.length; index += 1) {
    const state = states[index] ?? 0;
    const moving = state & (fits[index] ?? 0);
    const next = (moving << 1) | carried | (state & (stays[index] ?? 0));
    states[index] = next;
    left |= next;
    carried = moving >>> 31;
  }
  return left !== 0;
}
