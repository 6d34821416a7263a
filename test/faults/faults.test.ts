import { access } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { kinds } from "./kinds.ts";
import { playRound } from "./round.ts";

/** Each starts halls and agents, which takes its time where much else is going on. */
const timeout = 240_000;

/** `npm run faults` plays many, and long ones. */
const rounds = kinds.flatMap((kind) => ("seed" in kind.inTest ? [{ ...kind, seed: kind.inTest.seed }] : []));

describe.concurrent("nothing that was accepted is lost, and everything else goes on, where", { timeout }, () => {
  it.each(rounds)("$breaks (seed $seed)", async ({ seed, ...kind }) => {
    const faults = await playRound(kind, seed, { isShort: true });

    expect(faults).toEqual([]);
  });
});

it.each(kinds.flatMap(({ breaks, inTest }) => ("shownBy" in inTest ? [{ breaks, ...inTest }] : [])))(
  "what happens where $breaks is shown by $shownBy",
  async ({ shownBy }) => {
    await expect(access(join(import.meta.dirname, "../..", shownBy))).resolves.toBeUndefined();
  },
);
