import type { RunId } from "../../schema/ids.ts";

/** Cost of runs that the ledger does not know yet, and what is set aside for their next responses. */
export type RunningCost = { costUsd: number; setAsideUsd: number };

export type RunningCosts = ReturnType<typeof createRunningCosts>;

/** The assumed cost of a response for a run that has had none yet. */
const firstResponseUsd = 0.5;

type Running = {
  /** By its own limits; null is no limit. */
  mayCostUsd: number | null;
  costUsd: number;
  turns: number;
  /** What it had cost when its last response was whole. */
  settledUsd: number;
  dearestUsd: number;
  isPaused: boolean;
};

/**
 * The money of runs that were accepted and have not ended: they share one day's limit. The cost of a response is known
 * only when it has come, so each run sets aside as much as its dearest response so far. Close to the limit runs therefore
 * go one after the other, and far from it side by side.
 */
export function createRunningCosts(ledger: { costOf(run: RunId): number | null }) {
  const running = new Map<RunId, Running>();
  const listeners: (() => void)[] = [];

  function moneyFreed(): void {
    for (const listener of listeners) listener();
  }

  return {
    /** Calls back when there may be more money for the runs that wait for it. */
    onMoneyFreed(listener: () => void): void {
      listeners.push(listener);
    },
    moneyFreed,
    /** `used` is what earlier processes of the run have used. */
    begin(run: RunId, mayCostUsd: number | null, { costUsd, turns }: { costUsd: number; turns: number } = { costUsd: 0, turns: 0 }): void {
      running.set(run, { mayCostUsd, costUsd, turns, settledUsd: costUsd, dearestUsd: 0, isPaused: false });
    },
    isKnown: (run: RunId): boolean => running.has(run),
    /** A run that is paused needs no reserve. */
    setPaused(run: RunId, isPaused: boolean): void {
      const known = running.get(run);
      if (known === undefined) return;
      running.set(run, { ...known, isPaused });
      if (isPaused) moneyFreed();
    },
    /** Its cost in all so far, and how many of its responses are whole. */
    spend(run: RunId, { costUsd, turns }: { costUsd: number; turns: number }): void {
      const known = running.get(run);
      if (known === undefined) return;
      const isWhole = turns > known.turns;
      const dearestUsd = isWhole ? Math.max(known.dearestUsd, costUsd - known.settledUsd) : known.dearestUsd;
      running.set(run, { ...known, costUsd, turns, dearestUsd, settledUsd: isWhole ? costUsd : known.settledUsd });
    },
    costOf: (run: RunId): number => running.get(run)?.costUsd ?? 0,
    end(run: RunId): void {
      if (running.delete(run)) moneyFreed();
    },
    /** Cost of all other runs, plus the reserve of those accepted earlier. Pass null for a run that is not accepted yet. */
    excluding(run: RunId | null): RunningCost {
      const sum = { costUsd: 0, setAsideUsd: 0 };
      let isBefore = true;
      for (const [id, each] of running) {
        if (id === run) isBefore = false;
        else {
          // A run that ends is in the ledger a moment before it leaves this map.
          sum.costUsd += Math.max(0, each.costUsd - (ledger.costOf(id) ?? 0));
          if (isBefore && !each.isPaused) sum.setAsideUsd += setAsideFor(each);
        }
      }
      return sum;
    },
  };
}

/** No more than the run may cost. */
function setAsideFor({ mayCostUsd, costUsd, turns, dearestUsd }: Running): number {
  const next = turns === 0 ? firstResponseUsd : dearestUsd;
  return mayCostUsd === null ? next : Math.max(0, Math.min(next, mayCostUsd - costUsd));
}
