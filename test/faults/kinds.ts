import { breakFiles } from "./broken-files.ts";
import { vanishClients } from "./clients.ts";
import { jumpClock } from "./clock.ts";
import { sufferEndpoint } from "./endpoints.ts";
import { fillDisk, fillDiskAtWrite } from "./full-disk.ts";
import { killAgent, killHall, killHallAtWrite } from "./killed.ts";
import { killHallAtJobs, killWorkerAtJobs } from "./killed-jobs.ts";
import { sufferMember } from "./members.ts";
import type { Strike } from "./strike.ts";

export type Kind = { name: string; breaks: string; strike: Strike };

export const kinds: readonly Kind[] = [
  { name: "hall-killed", breaks: "the hall is killed at any moment of conversations", strike: killHall },
  { name: "killed-at-write", breaks: "the hall dies between two writes", strike: killHallAtWrite },
  { name: "agent-killed", breaks: "an agent is killed at any moment", strike: killAgent },
  { name: "jobs-hall-killed", breaks: "the hall is killed while a worker does its jobs", strike: killHallAtJobs },
  { name: "jobs-worker-killed", breaks: "the worker is killed while it does its jobs", strike: killWorkerAtJobs },
  { name: "disk-full", breaks: "the disk runs full at any moment, and has room again", strike: fillDisk },
  { name: "full-at-write", breaks: "the disk is full from one write on, and has room again", strike: fillDiskAtWrite },
  { name: "broken-files", breaks: "any file of a home is cut, emptied, flipped or replaced", strike: breakFiles },
  { name: "hostile-member", breaks: "a guild member crashes, hangs, floods, forks or talks nonsense", strike: sufferMember },
  { name: "hostile-endpoint", breaks: "the model's side refuses, resets, hangs or cuts off any step", strike: sufferEndpoint },
  { name: "vanishing-clients", breaks: "readers and senders go away in the middle", strike: vanishClients },
  { name: "clock-jumps", breaks: "the clock jumps for hours, forward and back", strike: jumpClock },
];
