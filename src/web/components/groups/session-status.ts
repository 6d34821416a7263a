import type { WaitingFor } from "../../../schema/run.ts";
import type { Session, SessionStatus } from "../../../schema/session.ts";
import { isFailed } from "../../../schema/session-failed.ts";
import type { GlyphName } from "../elements/glyph.tsx";

type Look = { status: GlyphName; word: string; /** Where there is little room, what it waits for is said elsewhere. */ shortWord?: string };

/** How a session's state is shown. One that is idle because something went wrong says so, and one that waits says for what. */
export function sessionStatus(session: Pick<Session, "status" | "error" | "waitingFor">): Look {
  if (isFailed(session)) return { status: "failed", word: "Failed" };
  if (session.status === "idle" && session.error !== null) return { status: "cancelled", word: "Stopped" };
  if (session.status === "running" && session.waitingFor !== null) return waitingLooks[session.waitingFor.kind];
  return looks[session.status];
}

export const waitingLooks: Record<WaitingFor["kind"], Look> = {
  slot: { status: "queued", word: "Waiting for a slot", shortWord: "Waiting" },
  person: { status: "waiting", word: "Waiting for you" },
  child: { status: "blocked", word: "Waiting for a run", shortWord: "Waiting" },
  limit: { status: "expired", word: "Waiting for the usage limit", shortWord: "Waiting" },
  budget: { status: "waiting", word: "Waiting for you" },
};

const looks: Record<SessionStatus, Look> = {
  idle: { status: "idle", word: "Idle" },
  running: { status: "running", word: "Running" },
  completed: { status: "completed", word: "Completed" },
  expired: { status: "expired", word: "Expired" },
  error: { status: "failed", word: "Error" },
};
