import { HallError } from "../../schema/hall-error.ts";
import type { HallEvent } from "../../schema/hall-event.ts";
import { newMessageId, newSdkSessionId, newSessionId } from "../../schema/ids.ts";
import type { MessageId, SessionId } from "../../schema/ids.ts";
import { personRequired } from "../../schema/person-required.ts";
import { isNote } from "../../schema/session.ts";
import type { ChangeSession, CreateSession, Limits, Message, SendMessage, Session, SessionList } from "../../schema/session.ts";
import { nothingUsed } from "../../schema/usage.ts";
import type { SessionEvent } from "../../schema/session-event.ts";
import type { WorkEvent } from "../../schema/run-event.ts";
import { createTurns } from "../in-turn.ts";
import type { Logged } from "../run/run-log.ts";

import { cannotSend } from "./cannot-send.ts";
import type { QueueStore } from "./message-queue.ts";
import { createMessageRuns } from "./message-runs.ts";
import type { MessageRunsDeps } from "./message-runs.ts";
import type { Page, SessionQuery } from "./session-store.ts";
import { messagesForPage } from "./messages-for-page.ts";
import { raisesLimits } from "./raises-limits.ts";
import { refusal } from "./session-budget.ts";
import { createSessionRuns } from "./session-runs.ts";
import { createWaitingMessages } from "./waiting-messages.ts";
import { createWarmSessions } from "./warm-sessions.ts";

export type SessionsDeps = Omit<
  MessageRunsDeps,
  "change" | "notes" | "onEnded" | "onToolResult" | "onContextChanged" | "onWaitingChanged"
> & {
  queue: QueueStore;
  publish: (event: HallEvent) => void;
  /** Calls back when somebody edits the context file outside the hall, until what this answers is called. */
  watchContext: (id: SessionId, onChange: () => void) => () => void;
  /** Drops what the model's side still keeps of a session that is gone. */
  forgetConversation: (id: SessionId) => Promise<void>;
};

/** One request reads, checks and sends a page whole, so a larger one would hold up every other request. */
const mostPageBytes = 1024 * 1024;

/** Who asks: only the person who runs the hall may go beyond its limits. */
export type Caller = { isPerson: boolean };

export type Sessions = ReturnType<typeof createSessions>;

/** A person's conversations with the main agent. */
export function createSessions(deps: SessionsDeps) {
  const { store, publish, now, running } = deps;
  const runs = createMessageRuns({
    ...deps,
    change,
    notes: { list: async (id) => (await waiting.list(id)).filter(isNote), leave: (id, message) => waiting.leave(id, message) },
    onEnded,
    onContextChanged,
    onToolResult: (id) => tellOf(id, "artifacts"),
    onWaitingChanged: (id) => tellOf(id),
  });
  const warmed = createWarmSessions({ ...deps, onContextChanged });
  /** Sessions with less in their history than they count. */
  const shortened = new Set<SessionId>();
  /** Whether a session takes a message is decided and done as one step, and so is whatever must not happen while it takes one. */
  const inTurn = createTurns<SessionId>();
  const onQueueChanged = (id: SessionId): void => tellOf(id, "queue");
  const waiting = createWaitingMessages({ ...deps, runs, inTurn, mustGet, mustAfford, change, onQueueChanged });

  const ofRuns = createSessionRuns({ ...deps, runs, mustGet, change, addNote });

  async function change(id: SessionId, next: (session: Session) => Session): Promise<Session> {
    const session = await store.update(id, next);
    publish({ event: "session", data: { id, status: session.status } });
    warmed.onChange(session);
    return session;
  }

  async function mustGet(id: SessionId): Promise<Session> {
    const session = await store.get(id);
    if (session === null) throw new HallError("not_found", `There is no session ${id}.`);
    if (session.status === "running" && !runs.isOpen(id)) return runs.settleStale(id);
    return shown(session);
  }

  /** A session with what its run waits for. An accepted message runs, also while a full disk keeps the record from saying so. */
  function shown(session: Session): Session {
    if (!runs.isOpen(session.id)) return session;
    const waitingFor = runs.waitingFor(session.id);
    return session.status === "idle" ? { ...session, status: "running", error: null, waitingFor } : { ...session, waitingFor };
  }

  /** What waits goes on by itself only after an answer: a person who stopped it, or saw it fail, decides. */
  async function onEnded(id: SessionId, { error }: { error: unknown }): Promise<void> {
    tellOf(id, "artifacts");
    if (error === null) await waiting.sendWaiting(id);
  }

  /** A crash may have come after an answer and before the next message was sent. */
  async function goOn(id: SessionId): Promise<void> {
    await waiting.dropSent(id);
    const session = await mustGet(id);
    if (session.status === "idle") await onEnded(id, session);
  }

  function tellOf(id: SessionId, part?: "queue" | "context" | "artifacts"): void {
    const tell = (session: Session | null) =>
      session && publish({ event: "session", data: { id, status: session.status, ...(part === undefined ? {} : { part }) } });
    store.get(id).then(tell).catch(deps.onProblem);
  }

  function onContextChanged(id: SessionId): void {
    tellOf(id, "context");
  }

  async function addNote(id: SessionId, note: Message): Promise<void> {
    await inTurn(id, async () => {
      const { name, status } = await mustGet(id);
      if (status !== "running") throw new HallError("conflict", `Nothing runs in session "${name}". Send it as a message.`);
      await waiting.add(id, note);
    });
    // The run may have ended since, and then nothing else would send it.
    await waiting.sendWaiting(id);
  }

  /** Throws where money is used up. Asked before a message is accepted, never in the middle of an answer. */
  function mustAfford(session: Session): void {
    const { perSessionUsd } = deps.limits;
    const refused = refusal({ session, today: deps.ledger.today(), others: running.excluding(null), perSessionUsd });
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
      for (const id of await runs.start()) await goOn(id).catch(deps.onProblem);
      const { sessions: running } = await store.list({ status: ["running"], limit: 500 });
      // What cannot be settled now, a full disk for instance, is settled when somebody looks at it.
      for (const { id } of running) await mustGet(id).catch(deps.onProblem);
    },
    close(): Promise<{ interrupted: number }> {
      waiting.close();
      return runs.close();
    },

    async create(request: CreateSession, { isPerson }: Caller): Promise<Session> {
      if (!isPerson && raisesLimits({}, request.limits, deps.limits)) throw personRequired();
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
          waitingFor: null,
          endedQuery: null,
        },
        request.context,
      );
      publish({ event: "session", data: { id: session.id, status: session.status } });
      return session;
    },

    async list(query: SessionQuery): Promise<SessionList> {
      const found = await store.list(query);
      return { ...found, sessions: found.sessions.map(shown) };
    },
    get: mustGet,
    runs: ofRuns,

    async messages(id: SessionId, page: Page) {
      const session = await mustGet(id);
      const found = await store.messages(id, { ...page, mostBytes: mostPageBytes });
      if (page.cursor === undefined && found.nextCursor === null) sayWhatIsMissing(session, found.messages.length);
      return { ...found, messages: messagesForPage(found.messages) };
    },

    async change(id: SessionId, changes: ChangeSession, { isPerson }: Caller): Promise<Session> {
      await mustGet(id);
      if (changes.members !== undefined) deps.members.engage(changes.members);
      const { limits: changed, ...others } = changes;
      const changedSession = await change(id, (session) => {
        const limits = changedLimits(session.limits, changed);
        if (!isPerson && raisesLimits(session.limits, limits, deps.limits)) throw personRequired();
        return { ...session, ...present(others), limits };
      });
      if (changed !== undefined) ofRuns.onLimitsChanged(id);
      return changedSession;
    },

    async send(id: SessionId, { text, queue: mayWait }: SendMessage): Promise<{ messageId: MessageId }> {
      const message: Message = { id: newMessageId(), role: "user", at: now(), blocks: [{ type: "text", text }] };
      const waits = await inTurn(id, async () => {
        const session = await mustGet(id);
        if (session.status === "running" && mayWait) {
          await waiting.add(id, message);
          return true;
        }
        if (session.status !== "idle") throw cannotSend(session.name, session.status);
        mustAfford(session);
        await runs.accept(session, message);
        return false;
      });
      // The query may have ended meanwhile, and then nobody else would send it. It waits in any case, so it was accepted.
      if (waits) await waiting.sendWaiting(id);
      else runs.forgetEnded();
      return { messageId: message.id };
    },

    queue: {
      async list(id: SessionId): Promise<Message[]> {
        await mustGet(id);
        return waiting.list(id);
      },
      remove: waiting.remove,
      sendNext: waiting.sendNext,
    },

    /** The person's word that the work is done. */
    complete: (id: SessionId): Promise<Session> =>
      inTurn(id, async () => {
        const session = await mustRest(id);
        if (session.status === "completed") return session;
        if (session.status === "error") throw cannotSend(session.name, session.status);
        const { length: count } = await waiting.list(id);
        if (count > 0) throw stillWaiting(session, count);
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
      await runs.stop(id);
      return mustGet(id);
    },

    async remove(id: SessionId): Promise<void> {
      await inTurn(id, async () => {
        await mustRest(id);
        await store.remove(id);
      });
      deps.forgetConversation(id).catch(deps.onProblem);
      runs.forget(id);
      runs.forgetEnded();
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

    async events(id: SessionId, lastEventId: string | undefined): Promise<AsyncIterable<Logged<SessionEvent | WorkEvent>>> {
      const session = await mustGet(id);
      return runs.watch(id, lastEventId) ?? atRest(session);
    },
  };
}

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

async function* atRest(session: Session): AsyncGenerator<Logged<SessionEvent>> {
  yield { id: "rest.0", event: "status", data: { status: session.status, ...(session.error === null ? {} : { error: session.error }) } };
  yield { id: "rest.1", event: "done", data: {} };
}
