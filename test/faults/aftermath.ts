import { spawnHall } from "../hall-process.ts";
import { faultsIn, talk, watch } from "./conversation.ts";
import type { Conversation, Hall } from "./conversation.ts";
import { processesOf } from "./processes.ts";

/** Opens a hall on a home that another one left, and answers what is wrong with what it finds. */
export async function faultsAfter(
  home: string,
  conversations: readonly Conversation[],
  env: Record<string, string> = {},
): Promise<string[]> {
  const next = await spawnHall(home, { env });
  try {
    // One that had only been waiting for its turn is answered now.
    await Promise.all(conversations.map((each) => watch(next, each)));
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

/** Whatever happened, what waits can be sent and the next message gets an answer. */
export async function goesOn(hall: Hall, conversations: readonly Conversation[]): Promise<string[]> {
  const faults = conversations.map(async (conversation) => {
    const { sessions } = hall.client;
    const { messages: waiting } = await sessions.queue.list(conversation.id);
    if (waiting.length > 0) await sessions.queue.send(conversation.id);
    await watch(hall, conversation);
    await talk(hall, conversation, "hello");
    const { session } = await sessions.get(conversation.id);
    return session.error === null ? faultsIn(hall, conversation) : [`${session.id} does not go on: ${session.error.message}`];
  });
  return (await Promise.all(faults)).flat();
}
