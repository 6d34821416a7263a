import { expect, it } from "vitest";
import { killHallInRuns } from "../faults/killed-runs.ts";
import { playRound } from "../faults/round.ts";

it("a hall that is killed with -9 takes the agents of its sessions and jobs with it, in an answer, in a tool and in a wait for a retry (SEC-17)", async () => {
  const faults = await playRound({ strike: killHallInRuns }, 1, { isShort: true });

  expect(faults).toEqual([]);
});
