import { createPausedFile } from "../../adapters/files/paused.ts";
import { createRunSettingsFile } from "../../adapters/files/run-settings.ts";
import { openSpendingLedger } from "../../adapters/files/spending.ts";
import { createTurns } from "../../core/in-turn.ts";
import { createPauses } from "../../core/run/pauses.ts";
import { createRunningCosts } from "../../core/run/running-costs.ts";
import { createSlots } from "../../core/run/slots.ts";
import type { SpendingLedger } from "../../core/run/spending.ts";
import type { RunsState } from "../../schema/run.ts";
import type { Parts } from "./parts.ts";
import { schedule } from "./schedule.ts";

export type RunLimits = Awaited<ReturnType<typeof buildRunLimits>>;

/** The limits that all runs of the hall share: slots, money and the pause that a person set. */
export async function buildRunLimits({ config, layout, log, hallEvents, closers }: Parts) {
  const onProblem = (err: unknown) => log.warn({ err }, "limits");
  const opened = await openSpendingLedger({ layout, limits: config.limits, onProblem });
  const running = createRunningCosts(opened);
  const ledger: SpendingLedger = {
    ...opened,
    setLimit: (limit) => opened.setLimit(limit).finally(running.moneyFreed),
    clearLimit: () => opened.clearLimit().finally(running.moneyFreed),
  };
  closers.push(callEachMidnight(running.moneyFreed));
  const slots = createSlots(config.runs.atOnce);
  const file = createPausedFile(layout);
  const isPaused = await file.read().catch((error: unknown) => {
    onProblem(error);
    // The file is only there while new runs are paused.
    return true;
  });
  if (isPaused) slots.pause();

  const inTurn = createTurns<"pause" | "settings">();
  const resetClock = { schedule, clock: Date.now, random: Math.random };
  const settings = createRunSettingsFile(layout);
  let isSet = await settings.read().catch((error: unknown) => (onProblem(error), null));
  const resumesAtReset = (): boolean => isSet ?? config.runs.resumeAtReset;
  const state = (): RunsState => {
    const { held, waiting } = slots.load();
    const { atOnce } = config.runs;
    return { isPaused: slots.isPaused(), atOnce, running: held, queued: waiting, resumesAtReset: resumesAtReset() };
  };

  const setResumesAtReset = (wanted: boolean): Promise<RunsState> =>
    inTurn("settings", async () => {
      await settings.write(wanted);
      isSet = wanted;
      return state();
    });

  const setPaused = (wanted: boolean): Promise<RunsState> =>
    inTurn("pause", async () => {
      await file.write(wanted, new Date().toISOString());
      if (wanted) slots.pause();
      else slots.unpause();
      hallEvents.publish({ event: "runs", data: { isPaused: wanted } });
      return state();
    });

  return {
    ledger,
    running,
    slots,
    pauses: createPauses(resetClock),
    resetClock,
    resumesAtReset,
    control: { state, setResumesAtReset, pause: () => setPaused(true), unpause: () => setPaused(false) },
  };
}

/** The limit of money counts for each day. */
function callEachMidnight(work: () => void): () => Promise<void> {
  let cancel = () => {};
  const wait = (): void => {
    const now = new Date();
    const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
    cancel = schedule(midnight.getTime() - now.getTime(), () => {
      work();
      wait();
    });
  };
  wait();
  return async () => cancel();
}
