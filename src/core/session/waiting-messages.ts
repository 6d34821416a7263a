import { HallError } from "../../schema/hall-error.ts";
import type { MessageId, SessionId } from "../../schema/ids.ts";
import type { Message, Session } from "../../schema/session.ts";
import type { InTurn } from "../in-turn.ts";
import { isPassing } from "../passing-failure.ts";
import { cannotSend } from "./cannot-send.ts";
import { createMessageQueue } from "./message-queue.ts";
import type { QueueStore } from "./message-queue.ts";
import type { MessageRuns } from "./message-runs.ts";

export type WaitingDeps = {
  queue: QueueStore;
  runs: Pick<MessageRuns, "accept" | "isKnown" | "mustBeOver" | "notYetSaid">;
  /** Whatever lets a session take a message, or keeps it from taking one. */
  inTurn: InTurn<SessionId>;
  mustGet: (id: SessionId) => Promise<Session>;
  /** Throws where money is used up. */
  mustAfford: (session: Session) => void;
  change: (id: SessionId, next: (session: Session) => Session) => Promise<Session>;
  onQueueChanged: (id: SessionId) => void;
  pause: (ms: number) => Promise<void>;
  onProblem: (error: unknown) => void;
};

/** Messages that wait in their sessions, and their sending when the session is free. */
export function createWaitingMessages(deps: WaitingDeps) {
  const { runs, inTurn, mustGet, onProblem } = deps;
  const queue = createMessageQueue(deps.queue);
  let isClosed = false;

  /** Sends what waits as soon as it can: a disk that is full or read-only holds it back until it can be written to. */
  async function sendWaiting(id: SessionId): Promise<void> {
    await sendNext(id).catch((reason: unknown) => {
      if (!isPassing(reason)) return sayWhyHeld(id, reason);
      deps.pause(retryMs).then(() => (isClosed ? undefined : sendWaiting(id)), onProblem);
    });
  }

  function sayWhyHeld(id: SessionId, reason: unknown): void {
    const error = reason instanceof HallError && reason.code === "budget" ? { code: reason.code, message: reason.message } : null;
    if (error === null) return onProblem(reason);
    deps.change(id, (session) => ({ ...session, error })).catch(onProblem);
  }

  /** Null where nothing waits, or the session cannot take it now. */
  const sendNext = (id: SessionId): Promise<MessageId | null> =>
    inTurn(id, async () => {
      await dropSent(id);
      const [message] = await queue.list(id);
      if (message === undefined) return null;
      await runs.mustBeOver(message.id);
      const session = await mustGet(id);
      if (session.status !== "idle") return null;
      deps.mustAfford(session);
      const { note: _, ...sent } = message;
      await runs.accept(session, sent);
      await leave(id, message.id);
      return message.id;
    });

  /** A crash may have come between the acceptance of a message and its leaving the queue. */
  async function dropSent(id: SessionId): Promise<void> {
    for (const message of await queue.list(id)) if (await runs.isKnown(id, message.id)) await leave(id, message.id);
  }

  /** False where it does not wait. */
  async function leave(id: SessionId, messageId: MessageId): Promise<boolean> {
    const wasThere = await queue.remove(id, messageId);
    if (wasThere) deps.onQueueChanged(id);
    return wasThere;
  }

  return {
    sendWaiting,
    dropSent,
    leave,

    async add(id: SessionId, message: Message): Promise<void> {
      await queue.add(id, message);
      deps.onQueueChanged(id);
    },

    /** One that is in the history and could not leave the queue yet, because the disk is full, waits no longer. */
    list: async (id: SessionId): Promise<Message[]> => runs.notYetSaid(id, await queue.list(id)),

    /** In turn with the sending: what was taken back is not sent. */
    remove: (id: SessionId, messageId: MessageId): Promise<void> =>
      inTurn(id, async () => {
        await mustGet(id);
        if (!(await leave(id, messageId))) throw new HallError("not_found", `No message ${messageId} waits in this session.`);
      }),

    /** The person lets go on what a stop or a failure held back. */
    async sendNext(id: SessionId): Promise<{ messageId: MessageId }> {
      const session = await mustGet(id);
      if (session.status !== "idle") throw cannotSend(session.name, session.status);
      const messageId = await sendNext(id);
      if (messageId === null) throw new HallError("conflict", `No message waits in session "${session.name}".`);
      return { messageId };
    },

    /** Nothing that was held back is tried again. */
    close(): void {
      isClosed = true;
    },
  };
}

/** How long to wait before a message that a full disk held back is tried again. */
const retryMs = 1000;
