import type { SessionId } from "../../schema/ids.ts";
import type { Session } from "../../schema/session.ts";

/** How long sessions are kept, in days since something happened in them. Null is for ever. */
export type Retention = { completedSessionDays: number | null; inactiveSessionDays: number | null };

export type RetentionQuestion = {
  retention: Retention;
  now: number;
  /** Messages wait in it for their turn. */
  hasQueue: boolean;
};

/**
 * Why a session may be deleted now, in words for the log; null where it is kept. One that works or is about to is never
 * touched, nor one in error: its record cannot be read, so nobody knows how old it is.
 */
export function reasonToDelete(session: Session, { retention, now, hasQueue }: RetentionQuestion): string | null {
  if (session.status === "running" || session.status === "error" || hasQueue) return null;
  const days = Math.floor((now - Date.parse(session.lastActivityAt)) / dayMs);
  const { completedSessionDays, inactiveSessionDays } = retention;
  if (session.status === "completed" && completedSessionDays !== null && days >= completedSessionDays)
    return `completed, and nothing happened in it for ${days} days; retention.completedSessionDays is ${completedSessionDays}`;
  if (inactiveSessionDays !== null && days >= inactiveSessionDays)
    return `nothing happened in it for ${days} days; retention.inactiveSessionDays is ${inactiveSessionDays}`;
  return null;
}

const dayMs = 24 * 60 * 60 * 1000;

export type RetentionDeps = {
  retention: Retention;
  list: (query: { limit: number; cursor?: string | undefined }) => Promise<{ sessions: Session[]; nextCursor: string | null }>;
  get: (id: SessionId) => Promise<Session>;
  hasQueue: (id: SessionId) => Promise<boolean>;
  remove: (id: SessionId) => Promise<void>;
  now: () => number;
  onDeleted: (session: Session, reason: string) => void;
  onProblem: (error: unknown) => void;
};

/** Deletes the sessions that have been kept long enough. One that cannot be deleted now is left to the next time. */
export async function deleteOldSessions(deps: RetentionDeps): Promise<void> {
  const { retention, now } = deps;
  if (retention.completedSessionDays === null && retention.inactiveSessionDays === null) return;
  const reasonFor = (session: Session, hasQueue: boolean) => reasonToDelete(session, { retention, now: now(), hasQueue });

  const old: SessionId[] = [];
  for (let cursor: string | undefined; ;) {
    const { sessions, nextCursor } = await deps.list({ limit: 500, cursor });
    old.push(...sessions.filter((session) => reasonFor(session, false) !== null).map(({ id }) => id));
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  for (const id of old) await deleteIfStillOld(id).catch(deps.onProblem);

  /** The list may be behind the files, and somebody may have come back to it a moment ago. */
  async function deleteIfStillOld(id: SessionId): Promise<void> {
    const session = await deps.get(id);
    const reason = reasonFor(session, await deps.hasQueue(id));
    if (reason === null) return;
    await deps.remove(id);
    deps.onDeleted(session, reason);
  }
}
