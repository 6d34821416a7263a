import { HallError } from "../../schema/hall-error.ts";
import type { HallEvent } from "../../schema/hall-event.ts";
import { newSdkSessionId, newSessionId } from "../../schema/ids.ts";
import type { MessageId, SessionId } from "../../schema/ids.ts";
import type { CreateSession, Session } from "../../schema/session.ts";
import { createQueries } from "./queries.ts";
import type { QueriesDeps } from "./queries.ts";
import type { LoggedEvent } from "./query-log.ts";
import type { Page } from "./session-store.ts";
import { createWarmSessions } from "./warm-sessions.ts";

export type SessionsDeps = Omit<QueriesDeps, "change"> & { publish: (event: HallEvent) => void };

export type Sessions = ReturnType<typeof createSessions>;

/** A person's conversations with the main agent. */
export function createSessions(deps: SessionsDeps) {
  const { store, publish, now } = deps;
  const queries = createQueries({ ...deps, change });
  const warmed = createWarmSessions(deps);

  async function change(id: SessionId, next: (session: Session) => Session): Promise<Session> {
    const session = await store.update(id, next);
    publish({ event: "session", data: { id, status: session.status } });
    warmed.onChange(session);
    return session;
  }

  async function mustGet(id: SessionId): Promise<Session> {
    const session = await store.get(id);
    if (session === null) throw new HallError("not_found", `There is no session ${id}.`);
    return session.status === "running" && !queries.isOpen(id) ? queries.settleStale(id) : session;
  }

  return {
    /** Until it resolves the hall answers nobody. */
    async start(): Promise<void> {
      await queries.start();
      const { sessions: running } = await store.list({ status: "running", limit: 500 });
      // What cannot be settled now, a full disk for instance, is settled when somebody looks at it.
      for (const { id } of running) await mustGet(id).catch(deps.onProblem);
    },
    close: queries.close,

    async create(request: CreateSession): Promise<Session> {
      deps.members.engage(request.members);
      const at = now();
      const session = await store.create({
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
        limits: request.limits,
        error: null,
      });
      publish({ event: "session", data: { id: session.id, status: session.status } });
      return session;
    },

    list: store.list,
    get: mustGet,

    async messages(id: SessionId, page: Page) {
      await mustGet(id);
      return store.messages(id, page);
    },

    async send(id: SessionId, text: string): Promise<{ messageId: MessageId }> {
      const session = await mustGet(id);
      // Nothing waits between this question and the acceptance, so two messages at once cannot both pass.
      if (session.status !== "idle" || queries.isOpen(id)) throw cannotSend(session);
      const messageId = await queries.accept(id, text);
      queries.forgetEnded();
      return { messageId };
    },

    async stop(id: SessionId): Promise<Session> {
      const session = await mustGet(id);
      if (session.status !== "running") throw new HallError("conflict", `Nothing runs in session "${session.name}".`);
      await queries.stop(id);
      return mustGet(id);
    },

    async remove(id: SessionId): Promise<void> {
      const session = await mustGet(id);
      if (session.status === "running") throw new HallError("conflict", `Session "${session.name}" is running. Stop it first.`);
      await store.remove(id);
      queries.forget(id);
      queries.forgetEnded();
      publish({ event: "session", data: { id, status: null } });
      warmed.onChange({ id, status: null });
    },

    lookAt: warmed.lookAt,
    onMemberChange: warmed.onMemberChange,

    async events(id: SessionId, lastEventId: string | undefined): Promise<AsyncIterable<LoggedEvent>> {
      const session = await mustGet(id);
      return queries.watch(id, lastEventId) ?? atRest(session);
    },
  };
}

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
