/** Numbers that look random and are the same for the same seed, so that a run can be had again. */
export type Random = {
  /** From 0 up to, not including, the bound. */
  below(bound: number): number;
  oneOf<Choice>(choices: readonly [Choice, ...Choice[]]): Choice;
};

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  /** Mulberry32: small, and good enough to choose moments with. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return { below, oneOf: (choices) => choices[below(choices.length)] ?? choices[0] };
}
