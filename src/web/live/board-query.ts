import type { Session, SessionCounts, SessionStatus } from "../../schema/session.ts";
import { isFailed } from "../../schema/session-failed.ts";

/** What the Board shows, as its address says. */
export type BoardQuery = { show: Show; words: string };

/** "ended" is any of the last three. */
export type Show = "all" | "running" | "idle" | "failed" | "ended" | "completed" | "expired" | "error";

type Shown = {
  label: string;
  /** As in "No session is …". */
  is: string;
  statuses: readonly SessionStatus[] | null;
  /** Idle to the hall are also those that failed; a card calls them otherwise. */
  failed?: boolean;
};

export const shows: Record<Show, Shown> = {
  all: { label: "All", is: "here", statuses: null },
  running: { label: "Running", is: "running", statuses: ["running"] },
  idle: { label: "Idle", is: "idle", statuses: ["idle"], failed: false },
  failed: { label: "Failed", is: "failed", statuses: ["idle"], failed: true },
  ended: { label: "Ended", is: "ended", statuses: ["completed", "expired", "error"] },
  completed: { label: "Completed", is: "completed", statuses: ["completed"] },
  expired: { label: "Expired", is: "expired", statuses: ["expired"] },
  error: { label: "Error", is: "in error", statuses: ["error"] },
};

/** What is drawn with the page itself, and read again when something changed. */
export const firstPage = 60;

const mostLetters = 200;

export function readBoardQuery(parameter: (name: string) => string | null | undefined): BoardQuery {
  const show = parameter("show") ?? "all";
  return { show: isShow(show) ? show : "all", words: (parameter("q") ?? "").trim().slice(0, mostLetters) };
}

const isShow = (text: string): text is Show => Object.hasOwn(shows, text);

export function boardAddress({ show, words }: BoardQuery): string {
  const parameters = new URLSearchParams({ ...(show === "all" ? {} : { show }), ...(words === "" ? {} : { q: words }) });
  return parameters.size === 0 ? "/" : `/?${parameters.toString()}`;
}

/** The same as a question to the hall. */
export function askedOf({ show, words }: BoardQuery): { status?: readonly SessionStatus[]; failed?: boolean; q?: string } {
  const { statuses, failed } = shows[show];
  return {
    ...(statuses === null ? {} : { status: statuses }),
    ...(failed === undefined ? {} : { failed }),
    ...(words === "" ? {} : { q: words }),
  };
}

/** Whether a session is among those that are shown, as far as its status says. */
export function isShown(session: Pick<Session, "status" | "error">, show: Show): boolean {
  const { statuses, failed } = shows[show];
  return statuses?.includes(session.status) !== false && (failed === undefined || isFailed(session) === failed);
}

/** Undefined while nobody knows how many there are. */
export function countOf(show: Show, counts: SessionCounts | null): number | undefined {
  if (counts === null) return undefined;
  if (show === "failed") return counts.failed;
  if (show === "idle") return counts.idle - counts.failed;
  return (shows[show].statuses ?? (["running", "idle", "completed", "expired", "error"] as const)).reduce(
    (sum, status) => sum + counts[status],
    0,
  );
}
