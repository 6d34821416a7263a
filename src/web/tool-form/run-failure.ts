import type { ErrorCode } from "../../schema/error-code.ts";
import { HallError } from "../../schema/hall-error.ts";

/** A call that brought no answer: what happened, and what holds now. */
export type RunFailure = { title: string; next: string; offersRestart: boolean };

export function runFailureOf(failure: unknown): RunFailure {
  if (!(failure instanceof HallError)) return { title: "Something went wrong on this page.", next: stillHere, offersRestart: false };
  const { title = failure.message, next = stillHere, offersRestart = false } = knownFailures[failure.code] ?? {};
  return { title, next, offersRestart };
}

const stillHere = "Your input is still here; run it again, or reload the page if it happens again.";

type Known = { title?: string; next?: string; offersRestart?: boolean };

const knownFailures: Partial<Record<ErrorCode, Known>> = {
  bad_request: { next: "Nothing was sent to the member. What to fix stands at the fields." },
  too_large: { next: "Nothing was sent to the member. Make the input smaller." },
  member_unavailable: { next: "Nothing was sent. Restart the member, then run the tool again.", offersRestart: true },
  member_failed: { next: "What the tool had done by then is done. The member's log may say more.", offersRestart: true },
  tool_timeout: { next: "The tool was told to stop; what it had done by then is done.", offersRestart: true },
  not_found: { next: "The member may have changed its tools. Reload the page." },
  hall_unreachable: {
    title: "The hall does not answer.",
    next: "Whether the tool ran is not known. Your input is still here; run it again when the hall is back.",
  },
};
