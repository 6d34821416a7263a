import { createPausedFile } from "../../adapters/files/paused.ts";
import { openSpendingLedger } from "../../adapters/files/spending.ts";
import { createPauses } from "../../core/run/pauses.ts";
import { createRunningCosts } from "../../core/run/running-costs.ts";
import { createSlots } from "../../core/run/slots.ts";
import type { RunsState } from "../../schema/run.ts";
import type { Parts } from "./parts.ts";
import { schedule } from "./schedule.ts";

export type RunLimits = Awaited<ReturnType<typeof buildRunLimits>>;

/** The limits that all runs of the hall share: slots, money and the pause that a person set. */
export async function buildRunLimits({ config, layout, log, hallEvents }: Parts) {
  const onProblem = (err: unknown) => log.warn({ err }, "limits");
  const ledger = await openSpendingLedger({ layout, limits: config.limits, onProblem });
  const slots = createSlots(config.runs.atOnce);
  const file = createPausedFile(layout);
  const isPaused = await file.read().catch((error: unknown) => {
    onProblem(error);
    // A file that cannot be read was written by a person's wish to pause, or by hand.
    return true;
  });
  if (isPaused) slots.pause();

  const resetClock = { schedule, clock: Date.now, random: Math.random };
  const state = (): RunsState => {
    const { held, waiting } = slots.load();
    const { atOnce, resumeAtReset } = config.runs;
    return { isPaused: slots.isPaused(), atOnce, running: held, queued: waiting, resumesAtReset: resumeAtReset };
  };

  async function setPaused(wanted: boolean): Promise<RunsState> {
    await file.write(wanted, new Date().toISOString());
    if (wanted) slots.pause();
    else slots.unpause();
    hallEvents.publish({ event: "runs", data: { isPaused: wanted } });
    return state();
  }

  return {
    ledger,
    running: createRunningCosts(ledger),
    slots,
    pauses: createPauses(resetClock),
    resetClock,
    control: { state, pause: () => setPaused(true), unpause: () => setPaused(false) },
  };
}
