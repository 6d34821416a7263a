import { breakFiles } from "./broken-files.ts";
import { vanishClients } from "./clients.ts";
import { jumpClock } from "./clock.ts";
import { sufferEndpoint } from "./endpoints.ts";
import { fillDisk, fillDiskAtWrite } from "./full-disk.ts";
import { killAgent, killHall, killHallAtWrite } from "./killed.ts";
import { killHallAtJobs, killWorkerAtJobs } from "./killed-jobs.ts";
import { killHallAtEffects } from "./killed-delegation.ts";
import { killHallInRuns } from "./killed-runs.ts";
import { sufferMember } from "./members.ts";
import { sleepAndWake } from "./sleep.ts";
import type { Strike } from "./strike.ts";

/** `npm test` plays one short round, of a seed that costs little, unless another test shows the same for less. */
export type Kind = { name: string; breaks: string; strike: Strike; inTest: { seed: number } | { shownBy: string } };

export const kinds: readonly Kind[] = [
  { name: "hall-killed", breaks: "the hall is killed at any moment of conversations", strike: killHall, inTest: { seed: 15 } },
  { name: "killed-at-write", breaks: "the hall dies between two writes", strike: killHallAtWrite, inTest: { seed: 9 } },
  { name: "agent-killed", breaks: "an agent is killed at any moment", strike: killAgent, inTest: { seed: 15 } },
  { name: "jobs-hall-killed", breaks: "the hall is killed while a worker does its jobs", strike: killHallAtJobs, inTest: { seed: 6 } },
  {
    name: "runs-hall-killed",
    breaks: "the hall is killed while agents answer, use a tool or wait for a retry",
    strike: killHallInRuns,
    inTest: { shownBy: "test/server/killed-runs.test.ts" },
  },
  {
    name: "jobs-worker-killed",
    breaks: "the worker is killed while it does its jobs",
    strike: killWorkerAtJobs,
    inTest: { shownBy: "test/researcher/killed-member.test.ts" },
  },
  {
    name: "disk-full",
    breaks: "the disk runs full at any moment, and has room again",
    strike: fillDisk,
    inTest: { shownBy: "src/server/api/session-full-disk.test.ts" },
  },
  {
    name: "full-at-write",
    breaks: "the disk is full from one write on, and has room again",
    strike: fillDiskAtWrite,
    inTest: { seed: 15 },
  },
  { name: "broken-files", breaks: "any file of a home is cut, emptied, flipped or replaced", strike: breakFiles, inTest: { seed: 14 } },
  {
    name: "hostile-member",
    breaks: "a guild member crashes, hangs, floods, forks or talks nonsense",
    strike: sufferMember,
    inTest: { seed: 12 },
  },
  {
    name: "hostile-endpoint",
    breaks: "the model's side refuses, resets, hangs or cuts off any step",
    strike: sufferEndpoint,
    inTest: { seed: 3 },
  },
  {
    name: "delegation-killed",
    breaks: "the hall dies at any write around an approval, while a worker waits for another",
    strike: killHallAtEffects,
    inTest: { seed: 1 },
  },
  { name: "vanishing-clients", breaks: "readers and senders go away in the middle", strike: vanishClients, inTest: { seed: 1 } },
  {
    name: "sleep-and-wake",
    breaks: "everything sleeps for minutes, connections die, and the clock is hours ahead",
    strike: sleepAndWake,
    inTest: { seed: 1 },
  },
  { name: "clock-jumps", breaks: "the clock jumps for hours, forward and back", strike: jumpClock, inTest: { seed: 1 } },
];
