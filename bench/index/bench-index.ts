import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Layout } from "../../src/adapters/files/layout.ts";
import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { amount, measured } from "../measured.ts";
import { median, percentile } from "../median.ts";
import { timed } from "../timed.ts";
import { searchRows } from "./bench-search.ts";
import { makeSessions } from "./make-sessions.ts";
import { openStoreOf } from "./open-store-of.ts";
import type { Opened } from "./open-store-of.ts";
import { readEverySession } from "./read-naively.ts";

const sizes = { small: 100, middle: 10_000, large: 100_000 };

type Made = { count: number; layout: Layout; rebuilt: Opened; opened: Opened; naiveMs: number };

/** The indexes of lists and messages beside the naive way, which reads every file. */
export async function benchIndex(effort: Effort): Promise<BenchRow[]> {
  return [
    ...(await withSessions(effort.size(sizes.small), async (made) => listRows(made))),
    ...(await withSessions(effort.size(sizes.middle), async (made) => [...listRows(made), ...(await searchRows(made))])),
    ...(await withSessions(effort.size(sizes.large), async (made) => [...listRows(made), ...buildRows(made), ...(await searchRows(made))])),
  ];
}

async function withSessions(count: number, rowsOf: (made: Made) => Promise<BenchRow[]>): Promise<BenchRow[]> {
  const home = await mkdtemp(join(tmpdir(), "guild-hall-bench-"));
  try {
    const layout = await makeSessions(home, count);
    const rebuilt = await openStoreOf(home);
    const naiveMs = await timed(() => readEverySession(layout));
    return await rowsOf({ count, layout, rebuilt, naiveMs, opened: await openStoreOf(home) });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** What is the same with few sessions and with very many. */
function listRows({ count, opened, naiveMs }: Made): BenchRow[] {
  const size = count.toLocaleString("en");
  const baseline = { value: naiveMs, of: "reading all files" };
  return [
    measured({
      name: `list page of ${size}, 95%`,
      ours: percentile(opened.pages, 95),
      unit: "ms",
      detail: `median ${amount(median(opened.pages), "ms")}`,
      baseline,
      budget: { most: 10 },
    }),
    measured({ name: `start from the snapshot, ${size}`, ours: opened.openMs, unit: "ms", baseline, budget: { most: 5_000 } }),
  ];
}

function buildRows({ count, opened, rebuilt, naiveMs }: Made): BenchRow[] {
  const size = count.toLocaleString("en");
  const baseline = { value: naiveMs, of: "reading all files" };
  const rebuild = measured({
    name: `rebuild without a snapshot, ${size}`,
    ours: rebuilt.settledMs,
    unit: "ms",
    baseline,
    budget: { most: 60_000 },
  });
  return [
    measured({
      name: `slowest of 20 searches for what is rare in ${size} names`,
      ours: opened.searchMs,
      unit: "ms",
      baseline,
      budget: { most: 10 },
    }),
    measured({ name: "memory of that process", ours: opened.rssMb, unit: "MiB", budget: { most: 300 } }),
    { ...rebuild, holds: rebuild.holds && rebuilt.answeredMeanwhile > 0 },
    measured({ name: "longest pause while rebuilding", ours: rebuilt.longestBlockMs, unit: "ms", budget: { most: 100 } }),
  ];
}
