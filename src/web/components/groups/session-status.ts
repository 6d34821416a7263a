import type { Session, SessionStatus } from "../../../schema/session.ts";
import type { GlyphName } from "../elements/glyph.tsx";

/** How a session's state is shown. One that is idle because something went wrong says so. */
export function sessionStatus(session: Pick<Session, "status" | "error">): { status: GlyphName; word: string } {
  if (session.status === "idle" && session.error !== null) {
    return isQuiet(session.error.code) ? { status: "cancelled", word: "Stopped" } : { status: "failed", word: "Failed" };
  }
  return looks[session.status];
}

const isQuiet = (code: string): boolean => code === "stopped" || code === "interrupted";

const looks: Record<SessionStatus, { status: GlyphName; word: string }> = {
  idle: { status: "idle", word: "Idle" },
  running: { status: "running", word: "Running" },
  completed: { status: "completed", word: "Completed" },
  expired: { status: "expired", word: "Expired" },
  error: { status: "failed", word: "Error" },
};
