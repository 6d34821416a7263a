import { z } from "zod";
import { HallError } from "../../schema/hall-error.ts";
import type { HallEvent } from "../../schema/hall-event.ts";
import { newMessageId, newSdkSessionId, newSessionId, SessionId } from "../../schema/ids.ts";
import type { MessageId } from "../../schema/ids.ts";
import { Message } from "../../schema/session.ts";
import type { CreateSession, Session, SessionFailure } from "../../schema/session.ts";
import type { JobEngine, JobWorker, WorkLimits } from "../job/job-engine.ts";
import { createQueryLog, queryOfEventId } from "./query-log.ts";
import type { LoggedEvent, QueryLog } from "./query-log.ts";
import { runQuery } from "./run-query.ts";
import type { QueryDeps } from "./run-query.ts";

export type SessionsDeps = QueryDeps & {
  engine: JobEngine;
  publish: (event: HallEvent) => void;
  limits: WorkLimits;
};

export type Sessions = ReturnType<typeof createSessions>;

const queryKind = "query";

/** A query as the engine keeps it. It carries its message, so that accepting both is one durable write. */
const QueryPayload = z.object({ sessionId: SessionId, message: Message });
type QueryPayload = z.infer<typeof QueryPayload>;

/** A person's conversations with the main agent. Each message is one query, and a query is a job before it is a process. */
export function createSessions(deps: SessionsDeps) {
  const { store, engine, publish, now } = deps;
  /** The running query of each session and, until the next one, its last: a client that lost its stream gets the tail. */
  const logs = new Map<SessionId, QueryLog>();
  const ended: MessageId[] = [];
  let worker: JobWorker | null = null;
  let isClosing = false;

  async function mustGet(id: SessionId): Promise<Session> {
    const session = await store.get(id);
    if (session === null) throw new HallError("not_found", `There is no session ${id}.`);
    return session;
  }

  async function change(id: SessionId, next: (session: Session) => Session): Promise<Session> {
    const session = await store.update(id, next);
    publish({ event: "session", data: { id, status: session.status } });
    return session;
  }

  function logOf(id: SessionId, messageId: MessageId): QueryLog {
    const known = logs.get(id);
    if (known?.messageId === messageId) return known;
    const log = createQueryLog(messageId);
    logs.set(id, log);
    return log;
  }

  /** The one place where a query ends, however it ended: the record first, then the word to those who watch. */
  async function endQuery(
    id: SessionId,
    log: QueryLog,
    end: { error: SessionFailure | null; costUsd: number; said: number },
  ): Promise<void> {
    const status = end.error?.code === "session_expired" ? "expired" : "idle";
    await change(id, (session) => ({
      ...session,
      status,
      error: end.error,
      costUsd: session.costUsd + end.costUsd,
      messageCount: session.messageCount + end.said,
      lastActivityAt: now(),
    }));
    if (end.error !== null) log.append({ event: "error", data: { code: end.error.code, message: end.error.message } });
    log.append({ event: "status", data: { status, ...(end.error === null ? {} : { error: end.error }) } });
    log.append({ event: "done", data: {} });
    log.close();
  }

  /** Puts an accepted message into the history and marks its session, once, whoever comes to it first. */
  function begin(id: SessionId, log: QueryLog, message: Message): Promise<void> {
    return log.begin(async () => {
      const { messages } = await store.messages(id, { limit: 1 });
      if (messages.at(-1)?.id !== message.id) await store.appendMessage(id, message);
      await change(id, (session) => ({
        ...session,
        status: "running",
        error: null,
        messageCount: session.messageCount + 1,
        lastActivityAt: message.at,
      }));
    });
  }

  /** What a crash left of a query: its message is in the history, and its session says what happened. */
  async function settle({ sessionId, message }: QueryPayload): Promise<void> {
    const session = await store.get(sessionId);
    if (session === null || session.status === "error") return;
    const { messages } = await store.messages(sessionId, { limit: Number.MAX_SAFE_INTEGER });
    const isKept = messages.some(({ id }) => id === message.id);
    if (isKept && session.status !== "running") return;
    if (!isKept) await store.appendMessage(sessionId, message);
    // Answers that were stored before the crash have not been counted yet.
    const messageCount = messages.length + (isKept ? 0 : 1);
    await change(sessionId, (current) => ({ ...current, status: "idle", error: interrupted, messageCount }));
  }

  /** Ended queries are in their session's history; the engine need not keep them as well. */
  function forgetEnded(): void {
    for (const id of ended.splice(0)) engine.remove(id).catch(() => ended.push(id));
  }

  return {
    /** Settles what a crash left, then takes queries. Until it resolves the hall answers nobody. */
    async start(): Promise<void> {
      for (const job of await engine.listOpen(queryKind)) if (job.attempt > 0) await settle(QueryPayload.parse(job.payload));
      worker = await engine.work(queryKind, deps.limits, async ({ job, signal }) => {
        const { sessionId: id, message } = QueryPayload.parse(job.payload);
        const log = logOf(id, message.id);
        await begin(id, log, message);
        const session = await mustGet(id);
        log.append({ event: "status", data: { status: "running" } });
        const outcome = await runQuery({ ...deps, session, message, signal, isClosing: () => isClosing, emit: log.append });
        await endQuery(id, log, outcome);
        ended.push(message.id);
        // The engine's record tells the same story as the session's.
        if (outcome.error !== null) throw new HallError(outcome.error.code, outcome.error.message);
      });
    },

    async close(): Promise<{ interrupted: number }> {
      isClosing = true;
      const stopped = (await worker?.stop()) ?? { interrupted: 0 };
      for (const log of logs.values()) log.close();
      return stopped;
    },

    async create(request: CreateSession): Promise<Session> {
      const at = now();
      const session = await store.create({
        id: newSessionId(),
        kind: "session",
        name: request.name,
        status: "idle",
        members: request.members,
        model: request.model ?? null,
        sdkSessionId: newSdkSessionId(),
        messageCount: 0,
        createdAt: at,
        lastActivityAt: at,
        costUsd: 0,
        limits: request.limits,
        error: null,
      });
      publish({ event: "session", data: { id: session.id, status: session.status } });
      return session;
    },

    list: store.list,
    get: mustGet,

    async messages(id: SessionId, page: { limit: number; cursor?: string | undefined }) {
      await mustGet(id);
      return store.messages(id, page);
    },

    /** Durable before it resolves: the engine's record is the acceptance, the history follows it. */
    async send(id: SessionId, text: string): Promise<{ messageId: MessageId }> {
      const session = await mustGet(id);
      // From here to the new log nothing waits, so two messages at once cannot both pass.
      if (session.status !== "idle" || logs.get(id)?.isClosed() === false) throw cannotSend(session);
      const message: Message = { id: newMessageId(), role: "user", at: now(), blocks: [{ type: "text", text }] };
      const log = logOf(id, message.id);
      try {
        await engine.submit({ id: message.id, kind: queryKind, lane: id, payload: { sessionId: id, message } });
        await begin(id, log, message);
      } catch (error) {
        log.close();
        throw error;
      }
      forgetEnded();
      return { messageId: message.id };
    },

    /** Resolves when the query has ended and its process is gone. */
    async stop(id: SessionId): Promise<Session> {
      const session = await mustGet(id);
      const log = logs.get(id);
      if (session.status !== "running" || log === undefined) throw new HallError("conflict", `Nothing runs in session "${session.name}".`);
      const job = await engine.cancel(log.messageId);
      if (job?.state === "cancelled" && job.attempt === 0) await endQuery(id, log, { error: stopped, costUsd: 0, said: 0 });
      for await (const _event of log.read()); // the log closes after the record was written
      return mustGet(id);
    },

    async remove(id: SessionId): Promise<void> {
      const session = await mustGet(id);
      if (session.status === "running") throw new HallError("conflict", `Session "${session.name}" is running. Stop it first.`);
      await store.remove(id);
      logs.delete(id);
      forgetEnded();
      publish({ event: "session", data: { id, status: null } });
    },

    async events(id: SessionId, lastEventId: string | undefined): Promise<AsyncIterable<LoggedEvent>> {
      const session = await mustGet(id);
      const log = logs.get(id);
      if (log !== undefined && (!log.isClosed() || (lastEventId !== undefined && queryOfEventId(lastEventId) === log.messageId))) {
        return log.read(lastEventId);
      }
      return atRest(session);
    },
  };
}

const stopped: SessionFailure = { code: "stopped", message: "Stopped. What was said so far is kept." };
const interrupted: SessionFailure = {
  code: "interrupted",
  message: "The hall ended while this was running. What was said so far is kept; send a message to go on.",
};

function cannotSend(session: Session): HallError {
  const reasons: Record<Session["status"], string> = {
    idle: "is taking another message at this moment",
    running: "is still working on the last message. Wait for it, or stop it",
    completed: "was completed",
    expired: "has expired: the model no longer has its conversation",
    error: "cannot be read or written",
  };
  return new HallError("conflict", `Session "${session.name}" ${reasons[session.status]}.`);
}

async function* atRest(session: Session): AsyncGenerator<LoggedEvent> {
  yield { id: "rest.0", event: "status", data: { status: session.status, ...(session.error === null ? {} : { error: session.error }) } };
  yield { id: "rest.1", event: "done", data: {} };
}
