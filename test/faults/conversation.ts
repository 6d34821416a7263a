import { setTimeout as pause } from "node:timers/promises";
import type { HallClient } from "../../src/client/hall-client.ts";
import type { MessageId, SessionId } from "../../src/schema/ids.ts";
import type { Message, Session } from "../../src/schema/session.ts";

/** A session that somebody talks to and watches, with all they were told. */
export type Conversation = {
  id: SessionId;
  accepted: MessageId[];
  /** What was shown of each assistant message, as far as it came. */
  shown: Map<MessageId, string>;
  /** The events that were seen, so that one that comes again is not taken for another. */
  seen: Set<string>;
};

/** A hall of any kind, as a program sees it. */
export type Hall = { client: HallClient };

export async function open(hall: Hall, name: string, members: string[] = []): Promise<Conversation> {
  const { id } = await hall.client.sessions.create({ name, members });
  return { id, accepted: [], shown: new Map(), seen: new Set() };
}

/** Sends a message, lets others wait for their turn behind it, and watches until nothing runs any more. */
export async function talk(hall: Hall, conversation: Conversation, text: string, later: readonly string[] = []): Promise<void> {
  const { id, accepted } = conversation;
  accepted.push((await hall.client.sessions.send(id, text)).messageId);
  await Promise.all([watch(hall, conversation), queueUp(hall, conversation, later)]);
  await watch(hall, conversation);
}

async function queueUp(hall: Hall, { id, accepted }: Conversation, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    // One that comes when nothing runs any more is an ordinary message.
    accepted.push((await hall.client.sessions.send(id, text, { queue: true })).messageId);
  }
}

/** Watches query after query until nothing runs and nothing is about to. */
export async function watch(hall: Hall, conversation: Conversation): Promise<void> {
  for (let looks = 0; looks < mostLooks; looks += 1, await pause(20)) {
    if (!(await watchOne(hall, conversation))) looks = 0;
    else if (!(await isAboutToGoOn(hall, conversation.id))) return;
  }
}

/** Between two queries nothing runs for a moment. Where that does not pass, what waits is forgotten, and found as a fault. */
const mostLooks = 200;

/** Answers whether there was nothing to watch. */
async function watchOne(hall: Hall, { id, shown, seen }: Conversation): Promise<boolean> {
  let isAtRest = false;
  for await (const { id: eventId = "", event } of hall.client.sessions.events(id)) {
    isAtRest = eventId.startsWith("rest.");
    if (seen.has(eventId) || event.event !== "text") continue;
    seen.add(eventId);
    const { messageId, text } = event.data;
    shown.set(messageId, (shown.get(messageId) ?? "") + text);
  }
  return isAtRest;
}

async function isAboutToGoOn(hall: Hall, id: SessionId): Promise<boolean> {
  const { messages: waiting } = await hall.client.sessions.queue.list(id);
  const { session } = await hall.client.sessions.get(id);
  // What a full disk holds back goes on by itself when there is room.
  const isHeldForGood = session.error !== null && session.error.code !== "disk_full";
  return session.status === "running" || (waiting.length > 0 && !isHeldForGood);
}

/** What is wrong with a conversation after a crash and a new start, one sentence each. */
export async function faultsIn(hall: Hall, { id, accepted, shown }: Conversation): Promise<string[]> {
  const { messages: waiting } = await hall.client.sessions.queue.list(id);
  const { session, messages } = await wholeHistory(hall, id);
  const faults: string[] = [];
  if (session.status === "running") faults.push(`${id} says that it runs, and nothing does.`);
  for (const messageId of accepted) {
    const times = [...messages, ...waiting].filter((message) => message.id === messageId).length;
    if (times !== 1) faults.push(`${messageId} was accepted and is ${times} times in the history and what waits.`);
  }
  if (waiting.length > 0 && session.error === null) faults.push(`${id} has messages that wait, and nothing sends them or says why.`);
  faults.push(...droppedIn(session, messages));
  if (new Set(messages.map((message) => message.id)).size !== messages.length) faults.push(`${id} has a message twice.`);
  if (session.messageCount !== messages.length) faults.push(`${id} counts ${session.messageCount} messages and has ${messages.length}.`);
  for (const [messageId, text] of shown) {
    const kept = messages.find((message) => message.id === messageId);
    if (!textOf(kept).startsWith(text)) faults.push(`${messageId} was shown as "${text}" and is kept as "${textOf(kept)}".`);
  }
  return faults;
}

/** A message without an answer, and no word about why. */
function droppedIn(session: Session, messages: readonly Message[]): string[] {
  const last = messages.at(-1);
  return last?.role === "user" && session.error === null ? [`${last.id} got no answer, and its session says nothing of it.`] : [];
}

export async function wholeHistory(hall: Hall, id: SessionId) {
  const page = await hall.client.sessions.get(id, { limit: 500 });
  const messages = [...page.messages];
  for (let cursor = page.nextCursor; cursor !== null;) {
    const earlier = await hall.client.sessions.get(id, { limit: 500, cursor });
    messages.unshift(...earlier.messages);
    cursor = earlier.nextCursor;
  }
  return { session: page.session, messages };
}

export const textOf = (message: Message | undefined): string =>
  (message?.blocks ?? []).map((block) => (block.type === "text" ? block.text : "")).join("");
