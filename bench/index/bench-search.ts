import type { Layout } from "../../src/adapters/files/layout.ts";
import type { BenchRow } from "../bench-row.ts";
import { measured } from "../measured.ts";
import { rareWord } from "./make-sessions.ts";
import type { Opened } from "./open-store-of.ts";
import { readEveryHistory } from "./read-naively.ts";

type Searched = { count: number; layout: Layout; rebuilt: Opened; opened: Opened };

/** Search over messages beside the naive way, which reads every history. */
export async function searchRows({ count, layout, rebuilt, opened }: Searched): Promise<BenchRow[]> {
  const size = count.toLocaleString("en");
  const began = performance.now();
  const naiveCount = await readEveryHistory(layout, rareWord);
  const baseline = { value: performance.now() - began, of: "reading all histories" };
  const row = (what: string, ours: number, most: number): BenchRow =>
    measured({ name: `search ${size} sessions for ${what}, slowest of 5`, ours, unit: "ms", baseline, budget: { most } });
  const { rare, none, several, beginning, common } = opened.searches;
  const rareRow = row("a rare word", rare.ms, 50);
  return [
    { ...rareRow, holds: rareRow.holds && rare.found === naiveCount },
    row("what nobody said", none.ms, 50),
    row("a rare and a common word", several.ms, 100),
    row("the beginning of a word", beginning.ms, 100),
    row("a word of nearly every message", common.ms, 500),
    measured({
      name: `all that was said in ${size} sessions searchable, from nothing`,
      ours: rebuilt.searchableMs,
      unit: "ms",
      baseline,
      budget: { most: 180_000 },
    }),
    measured({ name: `longest pause meanwhile, ${size}`, ours: rebuilt.searchBlockMs, unit: "ms", budget: { most: 100 } }),
    measured({
      name: `the same searchable again after a start, ${size}`,
      ours: opened.searchableMs,
      unit: "ms",
      baseline,
      budget: { most: 10_000 },
    }),
  ];
}
