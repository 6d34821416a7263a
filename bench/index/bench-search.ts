import { readdir, readFile } from "node:fs/promises";
import type { Layout } from "../../src/adapters/files/layout.ts";
import { SessionId } from "../../src/schema/ids.ts";
import type { BenchRow } from "../bench-row.ts";
import { rareWord } from "./make-sessions.ts";
import type { Opened } from "./open-store-of.ts";

type Measured = { count: number; layout: Layout; rebuilt: Opened; opened: Opened };

/** Search over messages beside the naive way, which reads every history. */
export async function searchRows({ count, layout, rebuilt, opened }: Measured): Promise<BenchRow[]> {
  const size = count.toLocaleString("en");
  const began = performance.now();
  const naiveCount = await readEveryHistory(layout, rareWord);
  const naiveMs = performance.now() - began;
  const ms = (value: number) => `${value < 100 ? value.toFixed(1) : Math.round(value)} ms`;
  const row = (name: string, measured: number, budgetMs: number): BenchRow => ({
    name: `search ${size} sessions for ${name}, slowest of 5`,
    ours: ms(measured),
    baseline: `${ms(naiveMs)} reading all histories`,
    ratio: measured / naiveMs,
    budget: `< ${budgetMs} ms`,
    holds: measured < budgetMs,
  });
  const { rare, none, several, beginning, common } = opened.searches;
  return [
    { ...row("a rare word", rare.ms, 50), holds: rare.ms < 50 && rare.found === naiveCount },
    row("what nobody said", none.ms, 50),
    row("a rare and a common word", several.ms, 100),
    row("the beginning of a word", beginning.ms, 100),
    row("a word of nearly every message", common.ms, 500),
    {
      name: `all that was said in ${size} sessions searchable, from nothing`,
      ours: `${(rebuilt.searchableMs / 1000).toFixed(1)} s`,
      baseline: `${ms(naiveMs)} reading all histories`,
      ratio: rebuilt.searchableMs / naiveMs,
      budget: "< 180 s",
      holds: rebuilt.searchableMs < 180_000,
    },
    {
      name: `longest pause meanwhile, ${size}`,
      ours: ms(rebuilt.searchBlockMs),
      baseline: "",
      ratio: null,
      budget: "< 100 ms",
      holds: rebuilt.searchBlockMs < 100,
    },
    {
      name: `the same searchable again after a start, ${size}`,
      ours: ms(opened.searchableMs),
      baseline: `${ms(naiveMs)} reading all histories`,
      ratio: opened.searchableMs / naiveMs,
      budget: "< 10 s",
      holds: opened.searchableMs < 10_000,
    },
  ];
}

async function readEveryHistory({ sessions, session }: Layout, word: string): Promise<number> {
  let found = 0;
  for (const name of await readdir(sessions)) {
    const text = await readFile(session(SessionId.parse(name)).messages, "utf8");
    if (text.toLowerCase().includes(word)) found += 1;
  }
  return found;
}
