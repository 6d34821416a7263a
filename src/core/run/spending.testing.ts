import { createTurns } from "../in-turn.ts";
import type { Life } from "../world.testing.ts";
import type { RunCost, SpendingLedger } from "./spending.ts";

export type LedgerDisk = { costs: Map<string, RunCost>; perDayUsd: number | null };

/** A ledger of one day on a disk that is memory. Like the files, it knows a cost only when the write of it succeeded. */
export function createMemoryLedger(life: Life, disk: LedgerDisk): SpendingLedger {
  const inTurn = createTurns<"write">();
  const known = new Map(disk.costs);
  const limit = () => ({ perDayUsd: disk.perDayUsd, from: "today" as const });
  const total = () => [...known.values()].reduce((sum, { costUsd }) => sum + costUsd, 0);
  const day = "2026-01-01";
  return {
    record: (cost) =>
      inTurn("write", async () => {
        const key = `${cost.runId}#${cost.attempt ?? 0}`;
        if ((known.get(key)?.costUsd ?? 0) >= cost.costUsd) return;
        await life.write(() => void disk.costs.set(key, cost), { isAllOrNone: true });
        known.set(key, cost);
      }),
    costOf(id) {
      const costs = [...known.values()].filter(({ runId }) => runId === id);
      return costs.length === 0 ? null : costs.reduce((sum, { costUsd }) => sum + costUsd, 0);
    },
    today: () => ({ day, costUsd: total(), isEstimate: false, limit: limit() }),
    spending: async () => ({
      today: { day, costUsd: total(), queries: known.size, isEstimate: false },
      limit: limit(),
      perSessionUsd: null,
      days: [],
    }),
    async setLimit({ perDayUsd }) {
      await life.write(() => void (disk.perDayUsd = perDayUsd));
      return limit();
    },
    async clearLimit() {
      await life.write(() => void (disk.perDayUsd = null));
      return limit();
    },
  };
}
