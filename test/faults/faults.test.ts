import { describe, expect, it } from "vitest";
import { kinds } from "./kinds.ts";
import { playRound } from "./round.ts";

/** Each starts halls and agents, which takes its time where much else is going on. */
const timeout = 240_000;

/** One round of each kind; `npm run faults` plays many. Where a seed is given, it is the one that found something. */
const seeds: Readonly<Record<string, readonly number[]>> = {
  "killed-at-write": [1, 4],
  "disk-full": [4],
};

describe.concurrent("nothing that was accepted is lost, and everything else goes on, where", { timeout }, () => {
  const rounds = kinds.flatMap((kind) => (seeds[kind.name] ?? [1]).map((seed) => ({ ...kind, seed })));

  it.each(rounds)("$breaks (seed $seed)", async ({ seed, ...kind }) => {
    const faults = await playRound(kind, seed);

    expect(faults).toEqual([]);
  });
});
