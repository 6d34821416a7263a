import type { Session, SessionStatus } from "../../../schema/session.ts";
import { isFailed } from "../../../schema/session-failed.ts";
import type { GlyphName } from "../elements/glyph.tsx";

/** How a session's state is shown. One that is idle because something went wrong says so. */
export function sessionStatus(session: Pick<Session, "status" | "error">): { status: GlyphName; word: string } {
  if (isFailed(session)) return { status: "failed", word: "Failed" };
  if (session.status === "idle" && session.error !== null) return { status: "cancelled", word: "Stopped" };
  return looks[session.status];
}

const looks: Record<SessionStatus, { status: GlyphName; word: string }> = {
  idle: { status: "idle", word: "Idle" },
  running: { status: "running", word: "Running" },
  completed: { status: "completed", word: "Completed" },
  expired: { status: "expired", word: "Expired" },
  error: { status: "failed", word: "Error" },
};
