import type { SessionId } from "../../schema/ids.ts";
import type { Session } from "../../schema/session.ts";

/** How long sessions are kept, in days since something happened in them. Null is for ever. */
export type Retention = { completedSessionDays: number | null; inactiveSessionDays: number | null };

export type RetentionQuestion = {
  retention: Retention;
  now: number;
  /** Messages wait in it for their turn. */
  hasQueue: (id: SessionId) => boolean;
};

/**
 * Why a session may be deleted now, in words for the log; null where it is kept. One that works or is about to is never
 * touched, nor one in error: its record cannot be read, so nobody knows how old it is.
 */
export function reasonToDelete(session: Session, { retention, now, hasQueue }: RetentionQuestion): string | null {
  if (session.status === "running" || session.status === "error" || hasQueue(session.id)) return null;
  const days = Math.floor((now - Date.parse(session.lastActivityAt)) / dayMs);
  const { completedSessionDays, inactiveSessionDays } = retention;
  if (session.status === "completed" && completedSessionDays !== null && days >= completedSessionDays)
    return `completed, and nothing happened in it for ${days} days; retention.completedSessionDays is ${completedSessionDays}`;
  if (inactiveSessionDays !== null && days >= inactiveSessionDays)
    return `nothing happened in it for ${days} days; retention.inactiveSessionDays is ${inactiveSessionDays}`;
  return null;
}

const dayMs = 24 * 60 * 60 * 1000;
