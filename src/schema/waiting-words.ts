import type { WaitingFor } from "./run.ts";

/** What a run waits for, as one sentence. The times are left to the caller, who knows the reader's time zone. */
export function wordsForWaiting(waitingFor: WaitingFor): string {
  switch (waitingFor.kind) {
    case "slot":
      return "Waiting for a free slot.";
    case "person":
      return "Waiting for your approval of a call.";
    case "child":
      return "Waiting for a run that it started.";
    case "limit":
      return "Waiting until the model's usage limit resets.";
    case "budget":
      return waitingFor.message;
  }
}
