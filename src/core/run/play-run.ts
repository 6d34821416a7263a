import { HallError } from "../../schema/hall-error.ts";
import type { AgentEvent, AgentRun, AgentRunner } from "../agent/agent-run.ts";
import type { Slot } from "./slots.ts";
import { withWaits } from "./waits.ts";
import type { WaitsShown } from "./waits.ts";

/** Plays one process of a run. The run has its slot while it uses the model, and gives it back when the process is gone. */
export async function* playRun(runner: Pick<AgentRunner, "run">, run: AgentRun, slot: Slot, shown: WaitsShown): AsyncGenerator<AgentEvent> {
  let hasWaited = false;
  const gone = new AbortController();
  const onWait = (): void => {
    hasWaited = true;
    shown.onWaiting({ kind: "slot", since: shown.now() });
  };
  try {
    await slot.take(run.signal, onWait);
    if (hasWaited) shown.onResumed();
    yield* runner.run(withWaits(run, slot, shown, gone.signal));
  } catch (error) {
    if (!(error instanceof HallError) || (error.code !== "stopped" && error.code !== "interrupted")) throw error;
    yield { type: "ended", ending: { outcome: "failed", code: error.code, message: error.message } };
  } finally {
    gone.abort();
    slot.give();
  }
}
