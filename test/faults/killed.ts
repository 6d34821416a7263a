import { setTimeout as pause } from "node:timers/promises";
import { spawnHall } from "../hall-process.ts";
import { faultsAfter, goesOn } from "./aftermath.ts";
import { faultsIn, open, talk } from "./conversation.ts";
import { processesOf } from "./processes.ts";
import type { Random } from "./random.ts";

const quick = ["hello", "markdown"] as const;
const things = [...quick, "failing tool", "tour", "long answer"] as const;

/** Talks to two sessions at once, kills the hall somewhere in it, starts it again and looks at what is left. */
export async function killHall(home: string, random: Random): Promise<string[]> {
  const hall = await spawnHall(home, { bundled: false });
  const conversations = [await open(hall, "One"), await open(hall, "Two")];
  const talking = Promise.all(conversations.map((each) => talk(hall, each, ...plan(random, things)).catch(() => undefined)));
  await pause(random.below(2500));
  await hall.end("SIGKILL");
  await talking;
  return faultsAfter(home, conversations);
}

/** Talks to a session, and the hall dies between two writes as one of its messages comes into the history. */
export async function killHallAtWrite(home: string, random: Random): Promise<string[]> {
  const hall = await spawnHall(home, {
    bundled: false,
    env: { NODE_OPTIONS: `--import=${dieAtWrite}`, DIE_AT_WRITE: `${1 + random.below(4)}.${random.below(12)}` },
  });
  const conversation = await open(hall, "One");
  await talk(hall, conversation, ...plan(random, quick)).catch(() => undefined);
  await hall.end("SIGKILL");
  return faultsAfter(home, [conversation]);
}

const dieAtWrite = new URL("die-at-write.ts", import.meta.url).href;

/** What is said at once, and what waits for its turn behind it. */
function plan(random: Random, first: readonly [string, ...string[]]): [string, string[]] {
  return [random.oneOf(first), [random.oneOf(quick)]];
}

/** Talks to a session, kills its agent's process somewhere in it, and looks at what is left. The hall goes on. */
export async function killAgent(home: string, random: Random): Promise<string[]> {
  const hall = await spawnHall(home, { bundled: false });
  try {
    const conversation = await open(hall, "One");
    const talking = talk(hall, conversation, ...plan(random, things));
    await pause(random.below(2500));
    for (const pid of await processesOf(`${home}/claude`)) killIfThere(pid);
    await talking;
    const left = await processesOf(`${home}/claude`);
    return [
      ...(await faultsIn(hall, conversation)),
      ...left.map((pid) => `Process ${pid} outlived its run.`),
      ...(await goesOn(hall, [conversation])),
    ];
  } finally {
    await hall.end("SIGTERM");
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself in this very moment.
  }
}
