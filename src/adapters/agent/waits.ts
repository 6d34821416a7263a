import type { AgentEvent, WaitFor } from "../../core/agent/agent-run.ts";
import type { RunSlot } from "./run-slot.ts";
import type { ServedRun } from "./served-run.ts";
import type { Watchdog } from "./watchdog.ts";

type WaitsDeps = { slot: RunSlot; watchdog: Watchdog; emit: (event: AgentEvent) => void };

/** What the calls of a run wait for besides the model. Of several at once, the last that settles takes the slot again. */
export function createWaits({ slot, watchdog, emit }: WaitsDeps): Pick<ServedRun, "waitFor" | "settle"> & { isParking(): boolean } {
  let waiting = 0;
  let isParking = false;
  let hasGivenSlot = false;

  const waitFor: WaitFor = async (what, work) => {
    const resume = watchdog.pause();
    waiting += 1;
    slot.give();
    hasGivenSlot = true;
    emit({ type: "waiting", for: what });
    try {
      return await work();
    } finally {
      waiting -= 1;
      resume();
    }
  };
  return {
    waitFor,
    async settle({ parks }) {
      if (parks === true) isParking = true;
      if (waiting > 0 || isParking || !hasGivenSlot) return;
      await slot.take();
      // Another call may have begun to wait in the meantime.
      if (waiting > 0) return slot.give();
      hasGivenSlot = false;
      emit({ type: "resumed" });
    },
    isParking: () => isParking,
  };
}
