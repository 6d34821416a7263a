import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { begunTwice } from "./begun-twice.ts";
import { faultsIn, talk, watch } from "./conversation.ts";
import type { Conversation, Hall } from "./conversation.ts";
import { processesOf, sayOfEach } from "./processes.ts";
import { withHall } from "./scripted-hall.ts";

/** Opens a hall on a home that another one left, and answers what is wrong with what it finds, and with what the model of both was asked. */
export function faultsAfter(home: string, conversations: readonly Conversation[], model?: ScriptedModel): Promise<string[]> {
  return withHall({ folder: `${home}-afterwards`, home, ...(model === undefined ? {} : { model }) }, async (hall) => {
    // One that had only been waiting for its turn is answered now.
    await Promise.all(conversations.map((each) => watch(hall, each)));
    const left = await sayOfEach(await processesOf(`${home}/claude`), "outlived the hall");
    const faults = (await Promise.all(conversations.map((each) => faultsIn(hall, each)))).flat();
    const { sessions: running } = await hall.client.sessions.list({ status: "running" });
    return [
      ...faults,
      ...left,
      ...running.map(({ id }) => `${id} is listed as running.`),
      ...(await goesOn(hall, conversations)),
      ...(model === undefined ? [] : await begunTwice(hall, conversations, model)),
    ];
  });
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
