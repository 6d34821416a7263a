import { HallError } from "../../schema/hall-error.ts";
import type { HallEvent } from "../../schema/hall-event.ts";
import { newMessageId, newSdkSessionId, newSessionId } from "../../schema/ids.ts";
import type { MessageId, SessionId } from "../../schema/ids.ts";
import type { ChangeSession, CreateSession, Limits, Message, SendMessage, Session } from "../../schema/session.ts";
import { nothingUsed } from "../../schema/usage.ts";
import { createTurns } from "../in-turn.ts";
import { createMessageQueue } from "./message-queue.ts";
import type { QueueStore } from "./message-queue.ts";
import { createQueries } from "./queries.ts";
import type { QueriesDeps } from "./queries.ts";
import type { LoggedEvent } from "./query-log.ts";
import { createRunningCosts } from "./running-costs.ts";
import type { Page } from "./session-store.ts";
import { refusal } from "./spending.ts";
import { createWarmSessions } from "./warm-sessions.ts";

export type SessionsDeps = Omit<QueriesDeps, "running" | "change" | "onEnded" | "onToolResult" | "onContextChanged"> & {
  queue: QueueStore;
  publish: (event: HallEvent) => void;
  /** Calls back when somebody edits the context file outside the hall, until what this answers is called. */
  watchContext: (id: SessionId, onChange: () => void) => () => void;
  /** Drops what the model's side still keeps of a session that is gone. */
  forgetConversation: (id: SessionId) => Promise<void>;
};

export type Sessions = ReturnType<typeof createSessions>;

/** A person's conversations with the main agent. */
export function createSessions(deps: SessionsDeps) {
  const { store, publish, now } = deps;
  const queue = createMessageQueue(deps.queue);
  const running = createRunningCosts(deps.ledger);
  const queries = createQueries({ ...deps, running, change, onEnded, onContextChanged, onToolResult: (id) => tellOf(id, "artifacts") });
  const warmed = createWarmSessions({ ...deps, running, onContextChanged });
  /** Sessions with less in their history than they count. */
  const shortened = new Set<SessionId>();
  /** Whether a session takes a message is decided and done as one step, and so is whatever must not happen while it takes one. */
  const inTurn = createTurns<SessionId>();
  let isClosed = false;

  async function change(id: SessionId, next: (session: Session) => Session): Promise<Session> {
    const session = await store.update(id, next);
    publish({ event: "session", data: { id, status: session.status } });
    warmed.onChange(session);
    return session;
  }

  async function mustGet(id: SessionId): Promise<Session> {
    const session = await store.get(id);
    if (session === null) throw new HallError("not_found", `There is no session ${id}.`);
    if (session.status === "running" && !queries.isOpen(id)) return queries.settleStale(id);
    // What was accepted runs, also while a full disk keeps the record from saying so.
    return session.status === "idle" && queries.isOpen(id) ? { ...session, status: "running", error: null } : session;
  }

  /** What waits goes on by itself only after an answer: a person who stopped it, or saw it fail, decides. */
  async function onEnded(id: SessionId, { error }: { error: unknown }): Promise<void> {
    tellOf(id, "artifacts");
    if (error === null) await sendWaiting(id);
  }

  /** A crash may have come after an answer and before the next message was sent. */
  async function goOn(id: SessionId): Promise<void> {
    await dropSent(id);
    const session = await mustGet(id);
    if (session.status === "idle") await onEnded(id, session);
  }

  /** What waits goes on as soon as it can: a full disk holds it back until there is room, and no longer. */
  async function sendWaiting(id: SessionId): Promise<void> {
    await sendNext(id).catch((reason: unknown) => {
      const isFull = reason instanceof HallError && reason.code === "disk_full";
      if (!isFull) return sayWhyHeld(id, reason);
      deps.pause(retryMs).then(() => (isClosed ? undefined : sendWaiting(id)), deps.onProblem);
    });
  }

  function sayWhyHeld(id: SessionId, reason: unknown): void {
    const error = reason instanceof HallError && reason.code === "budget" ? { code: reason.code, message: reason.message } : null;
    if (error === null) return deps.onProblem(reason);
    change(id, (session) => ({ ...session, error })).catch(deps.onProblem);
  }

  /** Null where nothing waits, or the session cannot take it now. */
  const sendNext = (id: SessionId): Promise<MessageId | null> =>
    inTurn(id, async () => {
      await dropSent(id);
      const [message] = await queue.list(id);
      if (message === undefined) return null;
      await queries.mustBeOver(message.id);
      const session = await mustGet(id);
      if (session.status !== "idle") return null;
      mustAfford(session);
      await queries.accept(session, message);
      await leaveQueue(id, message.id);
      return message.id;
    });

  /** A crash may have come between the acceptance of a message and its leaving the queue. */
  async function dropSent(id: SessionId): Promise<void> {
    for (const message of await queue.list(id)) if (await queries.isKnown(id, message.id)) await leaveQueue(id, message.id);
  }

  /** One that is in the history and could not leave the queue yet, because the disk is full, waits no longer. */
  const waitingIn = async (id: SessionId): Promise<Message[]> => queries.notYetSaid(id, await queue.list(id));

  /** False where it does not wait. */
  async function leaveQueue(id: SessionId, messageId: MessageId): Promise<boolean> {
    const wasThere = await queue.remove(id, messageId);
    if (wasThere) tellOf(id, "queue");
    return wasThere;
  }

  function tellOf(id: SessionId, part: "queue" | "context" | "artifacts"): void {
    const tell = (session: Session | null) => session && publish({ event: "session", data: { id, status: session.status, part } });
    store.get(id).then(tell).catch(deps.onProblem);
  }

  function onContextChanged(id: SessionId): void {
    tellOf(id, "context");
    warmed.onContextChange(id);
  }

  /** Throws where money is used up. Asked before a message is accepted, never in the middle of an answer. */
  function mustAfford(session: Session): void {
    const { perSessionUsd } = deps.limits;
    const refused = refusal({ session, today: deps.ledger.today(), others: running.besides(null), perSessionUsd });
    if (refused !== null) throw refused;
  }

  /** A history from which somebody took whole lines reads well; only the record knows that there were more. Told once. */
  function sayWhatIsMissing({ id, name, messageCount }: Session, found: number): void {
    if (found >= messageCount || shortened.has(id)) return;
    shortened.add(id);
    const sentence = `sessions/${id}/messages.jsonl has ${found} messages, and session "${name}" had ${messageCount}. Put the file back from a copy, if you have one.`;
    deps.onProblem(new HallError("file_broken", sentence));
  }

  async function mustRest(id: SessionId): Promise<Session> {
    const session = await mustGet(id);
    if (session.status === "running") throw new HallError("conflict", `Session "${session.name}" is running. Stop it first.`);
    return session;
  }

  return {
    /** Until it resolves the hall answers nobody. */
    async start(): Promise<void> {
      for (const id of await queries.start()) await goOn(id).catch(deps.onProblem);
      const { sessions: running } = await store.list({ status: ["running"], limit: 500 });
      // What cannot be settled now, a full disk for instance, is settled when somebody looks at it.
      for (const { id } of running) await mustGet(id).catch(deps.onProblem);
    },
    close(): Promise<{ interrupted: number }> {
      isClosed = true;
      return queries.close();
    },

    async create(request: CreateSession): Promise<Session> {
      deps.members.engage(request.members);
      const at = now();
      const session = await store.create(
        {
          id: newSessionId(),
          kind: "session",
          name: request.name,
          status: "idle",
          members: [...new Set(request.members)],
          model: request.model ?? null,
          sdkSessionId: newSdkSessionId(),
          messageCount: 0,
          createdAt: at,
          lastActivityAt: at,
          costUsd: 0,
          usage: nothingUsed,
          limits: request.limits,
          error: null,
          renewedAt: null,
          preview: null,
          endedQuery: null,
        },
        request.context,
      );
      publish({ event: "session", data: { id: session.id, status: session.status } });
      return session;
    },

    list: store.list,
    get: mustGet,

    async messages(id: SessionId, page: Page) {
      const session = await mustGet(id);
      const found = await store.messages(id, page);
      if (page.cursor === undefined && found.nextCursor === null) sayWhatIsMissing(session, found.messages.length);
      return found;
    },

    async change(id: SessionId, changes: ChangeSession): Promise<Session> {
      await mustGet(id);
      if (changes.members !== undefined) deps.members.engage(changes.members);
      const { limits, ...others } = changes;
      return change(id, (session) => ({ ...session, ...present(others), limits: changedLimits(session.limits, limits) }));
    },

    async send(id: SessionId, { text, queue: mayWait }: SendMessage): Promise<{ messageId: MessageId }> {
      const message: Message = { id: newMessageId(), role: "user", at: now(), blocks: [{ type: "text", text }] };
      const waits = await inTurn(id, async () => {
        const session = await mustGet(id);
        if (session.status === "running" && mayWait) {
          await queue.add(id, message);
          return true;
        }
        if (session.status !== "idle") throw cannotSend(session.name, session.status);
        mustAfford(session);
        await queries.accept(session, message);
        return false;
      });
      if (waits) {
        tellOf(id, "queue");
        // The query may have ended meanwhile, and then nobody else would send it. It waits in any case, so it was accepted.
        await sendWaiting(id);
      } else queries.forgetEnded();
      return { messageId: message.id };
    },

    queue: {
      async list(id: SessionId): Promise<Message[]> {
        await mustGet(id);
        return waitingIn(id);
      },
      async remove(id: SessionId, messageId: MessageId): Promise<void> {
        await mustGet(id);
        if (!(await leaveQueue(id, messageId))) throw new HallError("not_found", `No message ${messageId} waits in this session.`);
      },
      /** The person lets go on what a stop or a failure held back. */
      async sendNext(id: SessionId): Promise<{ messageId: MessageId }> {
        const session = await mustGet(id);
        if (session.status !== "idle") throw cannotSend(session.name, session.status);
        const messageId = await sendNext(id);
        if (messageId === null) throw new HallError("conflict", `No message waits in session "${session.name}".`);
        return { messageId };
      },
    },

    /** The person's word that the work is done. */
    complete: (id: SessionId): Promise<Session> =>
      inTurn(id, async () => {
        const session = await mustRest(id);
        if (session.status === "completed") return session;
        if (session.status === "error") throw cannotSend(session.name, session.status);
        const waiting = (await waitingIn(id)).length;
        if (waiting > 0) throw stillWaiting(session, waiting);
        return change(id, (current) => ({ ...current, status: "completed", error: null }));
      }),

    /** A new conversation with the model on the same folder: history and context stay. */
    renew: (id: SessionId): Promise<Session> =>
      inTurn(id, async () => {
        const session = await mustGet(id);
        if (session.status !== "expired")
          throw new HallError("conflict", `Session "${session.name}" has not expired, so there is nothing to renew.`);
        return change(id, (current) => ({ ...current, status: "idle", error: null, sdkSessionId: newSdkSessionId(), renewedAt: now() }));
      }),

    async stop(id: SessionId): Promise<Session> {
      const session = await mustGet(id);
      if (session.status !== "running") throw new HallError("conflict", `Nothing runs in session "${session.name}".`);
      await queries.stop(id);
      return mustGet(id);
    },

    async remove(id: SessionId): Promise<void> {
      await inTurn(id, async () => {
        await mustRest(id);
        await store.remove(id);
      });
      deps.forgetConversation(id).catch(deps.onProblem);
      queries.forget(id);
      queries.forgetEnded();
      publish({ event: "session", data: { id, status: null } });
      warmed.onChange({ id, status: null });
    },

    /** Somebody looks at the session until they call what this answers. */
    lookAt(id: SessionId): () => void {
      const leave = warmed.lookAt(id);
      const unwatch = deps.watchContext(id, () => onContextChanged(id));
      return () => {
        unwatch();
        leave();
      };
    },

    /** A person changed the context file through the hall. */
    onContextChanged,
    onArtifactAdded: (id: SessionId): void => tellOf(id, "artifacts"),
    onMemberChange: warmed.onMemberChange,

    async events(id: SessionId, lastEventId: string | undefined): Promise<AsyncIterable<LoggedEvent>> {
      const session = await mustGet(id);
      return queries.watch(id, lastEventId) ?? atRest(session);
    },
  };
}

/** How long to wait before a message that a full disk held back is tried again. */
const retryMs = 1000;

/** Those that are left out are not changed. */
const present = <Value>(changes: Readonly<Record<string, Value>>): Record<string, Exclude<Value, undefined>> =>
  Object.fromEntries(Object.entries(changes).filter((entry): entry is [string, Exclude<Value, undefined>] => entry[1] !== undefined));

function changedLimits(limits: Limits, changes: ChangeSession["limits"] = {}): Limits {
  const changed = Object.entries({ ...limits, ...present(changes) }).filter(([, value]) => value !== null);
  return Object.fromEntries(changed);
}

/** Nothing is sent from a completed session, so they would be lost without a word. */
function stillWaiting({ name }: Session, count: number): HallError {
  const what = count === 1 ? "1 message still waits" : `${count} messages still wait`;
  return new HallError("conflict", `${what} in session "${name}". Send or take back what waits, and then complete it.`);
}

function cannotSend(name: string, status: Exclude<Session["status"], "idle">): HallError {
  const reasons: Record<typeof status, string> = {
    running: "is still working on the last message. Wait for it, or stop it",
    completed: "was completed",
    expired: "has expired: the model no longer has its conversation",
    error: "cannot be read or written",
  };
  return new HallError("conflict", `Session "${name}" ${reasons[status]}.`);
}

async function* atRest(session: Session): AsyncGenerator<LoggedEvent> {
  yield { id: "rest.0", event: "status", data: { status: session.status, ...(session.error === null ? {} : { error: session.error }) } };
  yield { id: "rest.1", event: "done", data: {} };
}
