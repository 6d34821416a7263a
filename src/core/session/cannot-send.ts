import { HallError } from "../../schema/hall-error.ts";
import type { SessionStatus } from "../../schema/session.ts";

/** Why a session takes no message in the state it is in. */
export function cannotSend(name: string, status: Exclude<SessionStatus, "idle">): HallError {
  const reasons: Record<typeof status, string> = {
    running: "is still working on the last message. Wait for it, or stop it",
    completed: "was completed",
    expired: "has expired: the model no longer has its conversation",
    error: "cannot be read or written",
  };
  return new HallError("conflict", `Session "${name}" ${reasons[status]}.`);
}
