import type { Random } from "./random.ts";

export type Round = {
  /** A folder that is not there yet, in one that nobody else has. */
  home: string;
  random: Random;
  /** Only what shows the fault at all, and little of it: for `npm test`. */
  isShort: boolean;
  /** Takes a duration that the kind is about; `npm run faults` prints the median and the longest. */
  measured(ms: number): void;
};

/** Breaks something on a home of its own and answers what did not survive, one sentence each. */
export type Strike = (round: Round) => Promise<string[]>;
