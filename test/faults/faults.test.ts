import { describe, expect, it } from "vitest";
import { kinds } from "./kinds.ts";
import { playRound } from "./round.ts";

/** Each starts halls and agents, which takes its time where much else is going on. */
const timeout = 240_000;

/**
 * One short round of each kind, of a seed that costs little; `npm run faults` plays many, and long ones. Two kinds are left
 * to tests that show the same for less: jobs-worker-killed to `test/researcher/killed-member.test.ts`, and disk-full to
 * `src/server/api/session-full-disk.test.ts` and full-at-write.
 */
const seeds: Readonly<Record<string, number>> = {
  "hall-killed": 15,
  "killed-at-write": 9,
  "agent-killed": 15,
  "jobs-hall-killed": 6,
  "full-at-write": 15,
  "broken-files": 14,
  "hostile-member": 12,
  "hostile-endpoint": 3,
  "vanishing-clients": 1,
  "clock-jumps": 1,
};

describe.concurrent("nothing that was accepted is lost, and everything else goes on, where", { timeout }, () => {
  const rounds = kinds.flatMap((kind) => (kind.name in seeds ? [{ ...kind, seed: seeds[kind.name] ?? 1 }] : []));

  it.each(rounds)("$breaks (seed $seed)", async ({ seed, ...kind }) => {
    const faults = await playRound(kind, seed, { isShort: true });

    expect(faults).toEqual([]);
  });
});
