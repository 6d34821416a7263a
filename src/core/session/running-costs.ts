import type { MessageId } from "../../schema/ids.ts";

/** What queries have cost that the ledger does not know yet, and what is set aside for what they do next. */
export type RunningCost = { costUsd: number; setAsideUsd: number };

export type RunningCosts = ReturnType<typeof createRunningCosts>;

/** What a response may well cost, where a query has had none to go by. */
const firstResponseUsd = 0.5;

type Running = {
  /** By its own limits; null is no limit. */
  mayCostUsd: number | null;
  costUsd: number;
  turns: number;
  /** What it had cost when its last response was whole. */
  settledUsd: number;
  dearestUsd: number;
};

/**
 * The money of queries that were accepted and have not ended: they share one day's limit. What a response costs is known
 * when it has come, so something is set aside for the next one of each, as much as its dearest so far. Close to the limit
 * queries therefore go one after the other, and far from it side by side.
 */
export function createRunningCosts(ledger: { costOf(query: MessageId): number | null }) {
  const running = new Map<MessageId, Running>();
  return {
    begin(query: MessageId, mayCostUsd: number | null): void {
      running.set(query, { mayCostUsd, costUsd: 0, turns: 0, settledUsd: 0, dearestUsd: 0 });
    },
    /** What it has cost in all so far, and how many responses of it are whole. */
    spend(query: MessageId, { costUsd, turns }: { costUsd: number; turns: number }): void {
      const known = running.get(query);
      if (known === undefined) return;
      const isWhole = turns > known.turns;
      const dearestUsd = isWhole ? Math.max(known.dearestUsd, costUsd - known.settledUsd) : known.dearestUsd;
      running.set(query, { ...known, costUsd, turns, dearestUsd, settledUsd: isWhole ? costUsd : known.settledUsd });
    },
    costOf: (query: MessageId): number => running.get(query)?.costUsd ?? 0,
    end(query: MessageId): void {
      running.delete(query);
    },
    /** What all but this one have cost, and what is set aside for those before it: the oldest yields to none. Null is one to come. */
    besides(query: MessageId | null): RunningCost {
      const sum = { costUsd: 0, setAsideUsd: 0 };
      let isBefore = true;
      for (const [id, each] of running) {
        if (id === query) isBefore = false;
        else {
          // One that ends is in the ledger a moment before it is no longer here.
          sum.costUsd += Math.max(0, each.costUsd - (ledger.costOf(id) ?? 0));
          if (isBefore) sum.setAsideUsd += setAsideFor(each);
        }
      }
      return sum;
    },
  };
}

/** No more than the query may cost. */
function setAsideFor({ mayCostUsd, costUsd, turns, dearestUsd }: Running): number {
  const next = turns === 0 ? firstResponseUsd : dearestUsd;
  return mayCostUsd === null ? next : Math.max(0, Math.min(next, mayCostUsd - costUsd));
}
