import { HallError } from "../../schema/hall-error.ts";
import type { MessageId, SessionId } from "../../schema/ids.ts";
import type { Message, Session, SessionFailure } from "../../schema/session.ts";
import type { SessionEvent } from "../../schema/session-event.ts";
import { createTurns } from "../in-turn.ts";
import type { EngineJob, JobEngine, JobWorker, Lease, NewJob, WorkLimits } from "../job/job-engine.ts";
import { isPassing } from "../passing-failure.ts";
import { createInsistence } from "./insist.ts";
import type { Insist } from "./insist.ts";
import type { ProgressStore } from "./progress-store.ts";
import type { QueryLog } from "./query-log.ts";
import { createQueryLogs } from "./query-logs.ts";
import { previewOf } from "./preview.ts";
import { QueryPayload } from "./query-payload.ts";
import { runQuery } from "./run-query.ts";
import type { QueryDeps, QueryOutcome } from "./run-query.ts";
import { withQuery } from "./session-usage.ts";
import { mayCost } from "./spending.ts";
import { interrupted, settleQuery } from "./settle-query.ts";

export type QueriesDeps = Omit<QueryDeps, "insist"> & {
  engine: JobEngine;
  progress: ProgressStore;
  limits: WorkLimits;
  /** How long to wait before what the disk refused is tried again. */
  pause: (ms: number) => Promise<void>;
  /** Told what could not be put right while nobody was waiting for it. */
  onProblem: (error: unknown) => void;
  /** Writes a session and tells everybody. */
  change: (id: SessionId, next: (session: Session) => Session) => Promise<Session>;
  /** The agent got an answer from a tool, which may have changed a file. */
  onToolResult: (id: SessionId) => void;
  /** Called after a query ended and everybody was told. Until it resolves, what a crash leaves is found through this query. */
  onEnded: (id: SessionId, outcome: QueryOutcome) => Promise<void>;
};

export type Queries = ReturnType<typeof createQueries>;

const queryKind = "query";
/** Where a message is looked for that may have come into the history a moment ago. */
const recent = { limit: 200 };

/** The queries of sessions, one per message: accepted as a job, run by an agent, watched through a log, ended in one place. */
export function createQueries(deps: QueriesDeps) {
  const { store, engine, change, now } = deps;
  const logs = createQueryLogs(deps);
  const ended: MessageId[] = [];
  /** What a crash left and could not be put right yet, because of a full disk for instance. */
  const unsettled = new Map<SessionId, QueryPayload>();
  /** Why the end of a query could not be written, for its session to say once it can be. */
  const unwritten = new Map<SessionId, SessionFailure>();
  const settleInTurn = createTurns<SessionId>();
  /** Messages whose acceptance failed when the engine had them already: whoever sent them was told so. */
  const refused = new Map<MessageId, unknown>();
  let worker: JobWorker | null = null;
  let isClosing = false;

  /** Puts an accepted message into the history and marks its session, once, whoever comes to it first. */
  function begin(id: SessionId, log: QueryLog, message: Message): Promise<void> {
    return log.begin(async () => {
      const { messages } = await store.messages(id, { limit: 1 });
      // An earlier life of the hall may have come as far as here.
      const isKept = messages.at(-1)?.id === message.id;
      if (!isKept) await store.appendMessage(id, message);
      // What is in the history cannot be refused any more: whoever carries it out insists on the mark.
      await mark(id, message, isKept ? await countMessages(id) : null).catch(allowPassing);
    });
  }

  const mark = (id: SessionId, message: Message, counted: number | null): Promise<Session> =>
    change(id, (session) => (session.status === "running" ? session : begun(session, message, counted)));

  async function mustBeMarked(id: SessionId, message: Message): Promise<Session> {
    const session = await store.get(id);
    if (session === null) throw new HallError("not_found", `Session ${id} is gone.`);
    return session.status === "running" ? session : mark(id, message, await countMessages(id));
  }

  const countMessages = async (id: SessionId): Promise<number> =>
    (await store.messages(id, { limit: Number.MAX_SAFE_INTEGER })).messages.length;

  /** An earlier try that failed before it came into the history gives way. */
  async function submit(job: NewJob): Promise<void> {
    if ((await engine.submit(job)).endedAt === null) return;
    await engine.remove(job.id);
    await engine.submit(job);
  }

  async function carryOut({ job, signal }: Lease): Promise<void> {
    const { sessionId: id, message } = QueryPayload.parse(job.payload);
    const log = logs.of(id, message.id);
    const insist = createInsistence({ pause: deps.pause, isOver: () => isClosing, emit: log.append });
    try {
      const outcome = await answer(id, log, { message, signal, insist }).catch((error: unknown) =>
        brokenOff(error, deps.running.costOf(message.id)),
      );
      await end(id, log, outcome, insist).catch((error: unknown) => {
        unwritten.set(id, outcome.error ?? failureOf(error));
        throw error;
      });
      ended.push(message.id);
      if (!isClosing || outcome.error === null) await deps.onEnded(id, outcome);
      // The engine's record tells the same story as the session's.
      if (outcome.error !== null) throw new HallError(outcome.error.code, outcome.error.message);
    } finally {
      // Whatever went wrong, nobody waits for a query that is over.
      log.close();
      deps.running.end(message.id);
    }
  }

  async function answer(
    id: SessionId,
    log: QueryLog,
    { message, ...how }: { message: Message; signal: AbortSignal; insist: Insist },
  ): Promise<QueryOutcome> {
    if (refused.has(message.id)) throw refused.get(message.id);
    await begin(id, log, message);
    const session = await how.insist(() => mustBeMarked(id, message));
    log.append({ event: "status", data: { status: "running" } });
    const emit = (event: SessionEvent): void => {
      log.append(event);
      if (event.event === "tool_result") deps.onToolResult(id);
    };
    return runQuery({ ...deps, ...how, session, message, isClosing: () => isClosing, emit });
  }

  /** The one place where a query ends, however it ended: the record first, then the word to those who watch. */
  async function end(id: SessionId, log: QueryLog, outcome: QueryOutcome, insist: Insist): Promise<void> {
    const { error, costUsd, isEstimate, said, preview } = outcome;
    // Before the session's total: a crash in between puts that right from here.
    if (costUsd > 0) await insist(() => deps.ledger.record({ messageId: log.messageId, sessionId: id, costUsd, isEstimate }));
    const status = error?.code === "session_expired" ? "expired" : "idle";
    // One that failed before it was marked as running may have come into the history, where nobody has counted it.
    const hasBegun = error === null || (await store.get(id))?.status === "running";
    const counted = hasBegun ? null : await countMessages(id);
    const at = now();
    const ended = (session: Session): Session => ({
      ...session,
      status,
      error,
      costUsd: session.costUsd + costUsd,
      usage: withQuery(session.usage, outcome),
      messageCount: counted ?? session.messageCount + said,
      lastActivityAt: at,
      preview: preview ?? session.preview,
      endedQuery: log.messageId,
    });
    // A try that failed late may have written it all the same, and nothing is counted twice.
    const isWritten = (session: Session) => session.endedQuery === log.messageId && session.lastActivityAt === at;
    await insist(() => change(id, (session) => (isWritten(session) ? session : ended(session))));
    if (error !== null) log.append({ event: "error", data: { code: error.code, message: error.message } });
    log.append({ event: "status", data: { status, ...(error === null ? {} : { error }) } });
    log.append({ event: "done", data: {} });
    log.close();
    deps.running.end(log.messageId);
  }

  /** One that is cancelled before its turn ends without its handler. */
  async function endUnbegun(id: SessionId, log: QueryLog, job: EngineJob | null): Promise<void> {
    if (job?.state !== "cancelled" || job.attempt !== 0) return;
    // Whoever accepts it may be about to mark the session.
    await log.begun().catch(() => undefined);
    if (log.isClosed()) return;
    await end(id, log, { error: stopped, costUsd: 0, isEstimate: false, said: 0, preview: null }, (write) => write());
  }

  const setAside = (session: Session, { id }: Message): void =>
    deps.running.begin(id, mayCost({ session, perSessionUsd: deps.limits.perSessionUsd }, deps.limits.maxBudgetUsd));

  return {
    /** Settles what a crash left, then takes queries. Answers the sessions that had one. */
    async start(): Promise<SessionId[]> {
      const waiting: QueryPayload[] = [];
      const found: SessionId[] = [];
      for (const { attempt, payload } of await engine.listOpen(queryKind)) {
        const { success, data: query, error } = QueryPayload.safeParse(payload);
        if (success) found.push(query.sessionId);
        if (!success) deps.onProblem(error);
        else if (attempt === 0) waiting.push(query);
        else
          await settleQuery(query, deps).catch((failure: unknown) => {
            unsettled.set(query.sessionId, query);
            deps.onProblem(failure);
          });
      }
      await deps.progress.keepOnly([...unsettled.values()].map(({ message }) => message.id)).catch(deps.onProblem);
      // One that still waits for its turn can be watched and stopped like any other.
      for (const { sessionId, message } of waiting) {
        await begin(sessionId, logs.of(sessionId, message.id), message).catch(deps.onProblem);
        const session = await store.get(sessionId);
        if (session !== null) setAside(session, message);
      }
      worker = await engine.work(queryKind, deps.limits, carryOut);
      // Stopped just before the end of an earlier hall.
      for (const { sessionId, message } of waiting)
        await endUnbegun(sessionId, logs.of(sessionId, message.id), await engine.get(message.id));
      return found;
    },

    async close(): Promise<{ interrupted: number }> {
      isClosing = true;
      const stopped = (await worker?.stop()) ?? { interrupted: 0 };
      logs.closeAll();
      return stopped;
    },

    isOpen: logs.isOpen,

    /** Durable before it resolves: the engine's record is the acceptance, the history follows it. */
    async accept(session: Session, message: Message): Promise<void> {
      const { id } = session;
      const log = logs.of(id, message.id);
      setAside(session, message);
      try {
        refused.delete(message.id);
        await submit({ id: message.id, kind: queryKind, lane: id, payload: { sessionId: id, message } });
        await begin(id, log, message);
      } catch (error) {
        refused.set(message.id, error);
        log.close();
        deps.running.end(message.id);
        throw error;
      }
    },

    /** Throws why a message was refused, for as long as the engine still has it: it can be accepted anew when that is over. */
    async mustBeOver(messageId: MessageId): Promise<void> {
      if (refused.has(messageId) && (await engine.get(messageId))?.endedAt === null) throw refused.get(messageId);
    },

    /** Those of them that have not come into the history, as far as that can still be told. */
    async notYetSaid(id: SessionId, waiting: readonly Message[]): Promise<Message[]> {
      if (waiting.length === 0) return [];
      const said = new Set((await store.messages(id, recent)).messages.map((message) => message.id));
      return waiting.filter((message) => !said.has(message.id));
    },

    /** Whether a message was accepted before, as far as that can still be told. One that ended without coming into the history was not. */
    async isKnown(id: SessionId, messageId: MessageId): Promise<boolean> {
      if (refused.has(messageId)) return false;
      if ((await engine.get(messageId))?.endedAt === null) return true;
      const { messages } = await store.messages(id, recent);
      return messages.some((message) => message.id === messageId);
    },

    /** Resolves when the query has ended and its process is gone. */
    async stop(id: SessionId): Promise<void> {
      const log = logs.get(id);
      if (log === undefined) return;
      await endUnbegun(id, log, await engine.cancel(log.messageId));
      for await (const _event of log.read()); // the log closes after the record was written
    },

    /** A record that says "running" where nothing runs: its end could not be written, or it came out of an old copy. */
    settleStale: (id: SessionId): Promise<Session> =>
      settleInTurn(id, async () => {
        const query = unsettled.get(id);
        if (query !== undefined) await settleQuery(query, deps);
        unsettled.delete(id);
        const error = unwritten.get(id) ?? interrupted;
        const settled = await change(id, (session) =>
          session.status !== "running" || logs.isOpen(id) ? session : { ...session, status: "idle", error },
        );
        unwritten.delete(id);
        return settled;
      }),

    /** Ended queries are in their session's history; the engine need not keep them as well. */
    forgetEnded(): void {
      for (const id of ended.splice(0)) engine.remove(id).catch(() => ended.push(id));
    },

    forget: logs.forget,
    watch: logs.watch,
  };
}

const begun = (session: Session, message: Message, counted: number | null): Session => ({
  ...session,
  status: "running",
  error: null,
  messageCount: counted ?? session.messageCount + 1,
  lastActivityAt: message.at,
  preview: previewOf(message),
});

function allowPassing(error: unknown): void {
  if (!isPassing(error)) throw error;
}

const stopped: SessionFailure = { code: "stopped", message: "Stopped. What was said so far is kept." };
/** A query that the hall itself could not carry on with, for instance because the session's folder is gone. */
function brokenOff(error: unknown, costUsd: number): QueryOutcome {
  return { error: failureOf(error), costUsd, isEstimate: true, said: 0, preview: null };
}

const failureOf = (error: unknown): SessionFailure => ({
  code: error instanceof HallError ? error.code : "internal",
  message: error instanceof Error ? error.message : String(error),
});
