import { HallError } from "../../schema/hall-error.ts";
import type { MessageId, SessionId } from "../../schema/ids.ts";
import type { MessageRunRecord } from "../../schema/run.ts";
import type { Message, Session } from "../../schema/session.ts";
import { createTurns } from "../in-turn.ts";
import { copyOf } from "../world.testing.ts";
import type { Life } from "../world.testing.ts";
import type { QueueStore } from "./message-queue.ts";
import type { SessionStore } from "./session-store.ts";

export type SessionDisk = {
  sessions: Map<SessionId, Session>;
  messages: Map<SessionId, Message[]>;
  runs: Map<SessionId, MessageRunRecord>;
  queues: Map<SessionId, Message[]>;
  /** All that ever waited, in order. */ waited: Set<MessageId>;
};

export const emptySessionDisk = (): SessionDisk => ({
  sessions: new Map(),
  messages: new Map(),
  runs: new Map(),
  queues: new Map(),
  waited: new Set(),
});

/** Sessions on a disk that is memory. Lists have no search and no pages: who needs those tests the files. */
export function createMemorySessions(life: Life, { sessions, messages, runs }: SessionDisk): SessionStore {
  const inTurn = createTurns<SessionId>();
  return {
    create: (session) =>
      life.write(() => {
        sessions.set(session.id, copyOf(session));
        messages.set(session.id, []);
        return session;
      }),
    get: (id) => life.read(() => sessions.get(id) ?? null),
    update: (id, change) =>
      inTurn(id, async () => {
        const session = await life.read(() => sessions.get(id));
        if (session === undefined) throw new HallError("not_found", `There is no session ${id}.`);
        const next = change(session);
        await life.write(() => void sessions.set(id, copyOf(next)));
        return next;
      }),
    list: ({ limit, status }) =>
      life.read(() => {
        const found = [...sessions.values()].filter((session) => status === undefined || status.includes(session.status));
        return { sessions: found.slice(0, limit), nextCursor: null, counts: null };
      }),
    remove: (id) =>
      inTurn(id, () =>
        life.write(() => {
          sessions.delete(id);
          messages.delete(id);
        }),
      ),
    saveRun: (run) => inTurn(run.owner.id, () => life.write(() => void runs.set(run.owner.id, copyOf(run)))),
    run: (id) => life.read(() => runs.get(id) ?? null),
    appendMessage: (id, message) =>
      inTurn(id, () =>
        life.write(
          () => {
            const known = messages.get(id);
            if (known === undefined) throw new HallError("home_unusable", `The folder of session ${id} is gone.`);
            known.push(copyOf(message));
          },
          { isAllOrNone: true },
        ),
      ),
    messages: (id, { limit }) => life.read(() => ({ messages: (messages.get(id) ?? []).slice(-limit), nextCursor: null })),
  };
}

export const createMemoryQueues = (life: Life, { queues, waited }: SessionDisk): QueueStore => ({
  read: (id) => life.read(() => queues.get(id) ?? []),
  write: (id, messages) =>
    life.write(() => {
      for (const message of messages) waited.add(message.id);
      queues.set(id, copyOf([...messages]));
    }),
});
