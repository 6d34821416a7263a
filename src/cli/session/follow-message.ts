import type { HallClient } from "../../client/hall-client.ts";
import { beforeQuery, isOfQuery, readQuery } from "../../client/read-query.ts";
import { answerTo, lastQuestion } from "../../client/session-history.ts";
import { sessionNews } from "../../client/session-news.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { MessageId, SessionId } from "../../schema/ids.ts";
import type { WaitingFor } from "../../schema/run.ts";
import type { Session, SessionFailure } from "../../schema/session.ts";
import type { SessionEvent } from "../../schema/session-event.ts";
import { decisions } from "../run/run-commands.ts";
import { askPatiently, hallPatience, left } from "./ask-patiently.ts";
import { createShownEvents } from "./shown-events.ts";

export type Following = {
  client: HallClient;
  id: SessionId;
  messageId: MessageId;
  signal: AbortSignal;
  onEvent: (event: SessionEvent) => Promise<void>;
  /** Called once where other messages come first. */
  onWait?: () => void;
};

/**
 * Tells the whole answer to a message and resolves with how it ended, wherever it stands: waiting in the queue, running,
 * or over. What a lost stream or a restarted hall keeps back is taken from the history, and nothing is told twice.
 */
export async function followMessage(following: Following): Promise<SessionFailure | null> {
  const { client, id, signal } = following;
  const attempt = createAttempt(following);
  const first = await attempt();
  if (first !== "waits") return first.failure;
  following.onWait?.();
  for await (const _news of sessionNews({ client, id, signal, patience: hallPatience })) {
    const next = await attempt();
    if (next !== "waits") return next.failure;
  }
  throw left();
}

type Ended = { failure: SessionFailure | null };

function createAttempt({ client, id, messageId, signal, onEvent }: Following): () => Promise<Ended | "waits"> {
  const shown = createShownEvents();
  let lastEventId = beforeQuery(messageId);
  let failure: SessionFailure | null = null;

  async function take(event: SessionEvent): Promise<void> {
    shown.remember(event);
    if (event.event === "error") failure = event.data;
    await onEvent(event);
  }

  return async () => {
    for await (const streamed of readQuery({ client: client.sessions, id, lastEventId, signal, patience: hallPatience })) {
      if (!isOfQuery(streamed, messageId)) break;
      lastEventId = streamed.id ?? lastEventId;
      await take(streamed.event);
      if (streamed.event.event === "done") return { failure };
    }
    if (signal.aborted) throw left();
    return fromHistory();
  };

  async function fromHistory(): Promise<Ended | "waits"> {
    // The queue first: a message leaves it only after it is in the history.
    const { messages: waiting } = await askPatiently(signal, () => client.sessions.queue.list(id));
    const newest = await askPatiently(signal, () => client.sessions.get(id));
    const { session } = newest;
    if (waiting.some((message) => message.id === messageId)) {
      if (isHeldBack(session)) throw heldBack(session);
      if (session.waitingFor?.kind === "budget") throw behindLimit(session.id, session.waitingFor);
      return "waits";
    }
    const isLast = (await askPatiently(signal, () => lastQuestion(client.sessions, id, newest))) === messageId;
    if (isLast && session.status === "running") return "waits";
    const answer = await askPatiently(signal, () => answerTo(client.sessions, id, messageId));
    if (answer === null) throw new HallError("conflict", `The message to "${session.name}" was taken back before its turn came.`);
    for (const event of shown.missing(answer)) await take(event);
    if (isLast) return { failure: session.error };
    // A response that broke off before the last one was asked for again.
    return { failure: answer.at(-1)?.interrupted === true ? brokenOff : failure };
  }
}

type Budget = Extract<WaitingFor, { kind: "budget" }>;

/** What waits goes on by itself only after an answer that did not fail. */
const isHeldBack = ({ status, error }: Session): boolean => status !== "running" && (status !== "idle" || error !== null);

const heldBack = ({ id, name, status, error }: Session): HallError =>
  new HallError(
    "conflict",
    `The message is held back, because session "${name}" ${error === null ? `is ${status}.` : `ended like this: ${error.message}`} Send it on with: guild-hall session queue ${id} --send`,
  );

/** A person has to decide first, which may take days. */
const behindLimit = (id: SessionId, { limit, message }: Budget): HallError =>
  new HallError(
    "conflict",
    `Your message stays in the queue, behind one that waits at a limit: ${message}\n${decisions({ group: "session", id }, limit)}`,
  );

const brokenOff: SessionFailure = { code: "interrupted", message: "The answer was broken off. What was said so far is kept." };
