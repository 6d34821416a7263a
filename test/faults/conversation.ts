import type { MessageId, SessionId } from "../../src/schema/ids.ts";
import type { Message } from "../../src/schema/session.ts";
import type { HallProcess } from "../hall-process.ts";

/** A session that somebody talks to and watches, with all they were told. */
export type Conversation = {
  id: SessionId;
  accepted: MessageId[];
  /** What was shown of each assistant message, as far as it came. */
  shown: Map<MessageId, string>;
};

/** Sends a message and, once it is accepted, watches until the stream ends, however it ends. */
export async function talk(hall: HallProcess, conversation: Conversation, text: string): Promise<void> {
  const { messageId } = await hall.client.sessions.send(conversation.id, text);
  conversation.accepted.push(messageId);
  for await (const { event } of hall.client.sessions.events(conversation.id)) {
    if (event.event !== "text") continue;
    const { messageId: id, text: piece } = event.data;
    conversation.shown.set(id, (conversation.shown.get(id) ?? "") + piece);
  }
}

/** What is wrong with a conversation after a crash and a new start, one sentence each. */
export async function faultsIn(hall: HallProcess, { id, accepted, shown }: Conversation): Promise<string[]> {
  const { session, messages } = await wholeHistory(hall, id);
  const faults: string[] = [];
  if (session.status === "running") faults.push(`${id} says that it runs, and nothing does.`);
  for (const messageId of accepted) {
    const times = messages.filter((message) => message.id === messageId).length;
    if (times !== 1) faults.push(`${messageId} was accepted and is ${times} times in the history.`);
  }
  if (new Set(messages.map((message) => message.id)).size !== messages.length) faults.push(`${id} has a message twice.`);
  if (session.messageCount !== messages.length) faults.push(`${id} counts ${session.messageCount} messages and has ${messages.length}.`);
  for (const [messageId, text] of shown) {
    const kept = messages.find((message) => message.id === messageId);
    if (!textOf(kept).startsWith(text)) faults.push(`${messageId} was shown as "${text}" and is kept as "${textOf(kept)}".`);
  }
  return faults;
}

async function wholeHistory(hall: HallProcess, id: SessionId) {
  const page = await hall.client.sessions.get(id, { limit: 500 });
  const messages = [...page.messages];
  for (let cursor = page.nextCursor; cursor !== null;) {
    const earlier = await hall.client.sessions.get(id, { limit: 500, cursor });
    messages.unshift(...earlier.messages);
    cursor = earlier.nextCursor;
  }
  return { session: page.session, messages };
}

const textOf = (message: Message | undefined): string =>
  (message?.blocks ?? []).map((block) => (block.type === "text" ? block.text : "")).join("");
