import { setTimeout as pause } from "node:timers/promises";
import { spawnHall } from "../hall-process.ts";
import type { HallProcess } from "../hall-process.ts";
import { faultsIn, talk } from "./conversation.ts";
import type { Conversation } from "./conversation.ts";
import { processesOf } from "./processes.ts";
import type { Random } from "./random.ts";

const things = ["hello", "tour", "long answer", "markdown", "failing tool"] as const;

/** Talks to two sessions at once, kills the hall somewhere in it, starts it again and looks at what is left. */
export async function killHall(home: string, random: Random): Promise<string[]> {
  const hall = await spawnHall(home);
  const conversations = [await open(hall, "One"), await open(hall, "Two")];
  const talking = conversations.map((each) => talk(hall, each, random.oneOf(things)).catch(() => undefined));
  await pause(random.below(2500));
  await hall.end("SIGKILL");
  await Promise.all(talking);

  const next = await spawnHall(home);
  try {
    const left = await processesOf(`${home}/claude`);
    const faults = (await Promise.all(conversations.map((each) => faultsIn(next, each)))).flat();
    const { sessions: running } = await next.client.sessions.list({ status: "running" });
    return [
      ...faults,
      ...left.map((pid) => `Process ${pid} outlived the hall.`),
      ...running.map(({ id }) => `${id} is listed as running.`),
      ...(await goesOn(next, conversations)),
    ];
  } finally {
    await next.end("SIGTERM");
  }
}

/** Talks to a session, kills its agent's process somewhere in it, and looks at what is left. The hall goes on. */
export async function killAgent(home: string, random: Random): Promise<string[]> {
  const hall = await spawnHall(home);
  try {
    const conversation = await open(hall, "One");
    const talking = talk(hall, conversation, random.oneOf(things));
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

async function open(hall: HallProcess, name: string): Promise<Conversation> {
  const { id } = await hall.client.sessions.create({ name });
  return { id, accepted: [], shown: new Map() };
}

/** Whatever happened, the next message gets an answer. */
async function goesOn(hall: HallProcess, conversations: readonly Conversation[]): Promise<string[]> {
  const faults = conversations.map(async (conversation) => {
    await talk(hall, conversation, "hello");
    const { session } = await hall.client.sessions.get(conversation.id);
    return session.error === null ? faultsIn(hall, conversation) : [`${session.id} does not go on: ${session.error.message}`];
  });
  return (await Promise.all(faults)).flat();
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself in this very moment.
  }
}
