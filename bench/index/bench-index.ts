import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Layout } from "../../src/adapters/files/layout.ts";
import { SessionId } from "../../src/schema/ids.ts";
import type { BenchRow } from "../bench-row.ts";
import { median, percentile } from "../median.ts";
import { searchRows } from "./bench-search.ts";
import { makeSessions } from "./make-sessions.ts";
import { openStoreOf } from "./open-store-of.ts";

const count = 100_000;

/** The indexes of lists and messages beside the naive way, which reads every file. */
export async function benchIndex(): Promise<BenchRow[]> {
  return [...(await benchLists()), ...(await benchSearch(10_000))];
}

async function benchSearch(sessions: number): Promise<BenchRow[]> {
  const home = await mkdtemp(join(tmpdir(), "guild-hall-bench-"));
  try {
    const layout = await makeSessions(home, sessions);
    return await searchRows({ count: sessions, layout, rebuilt: await openStoreOf(home), opened: await openStoreOf(home) });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function benchLists(): Promise<BenchRow[]> {
  const home = await mkdtemp(join(tmpdir(), "guild-hall-bench-"));
  try {
    const layout = await makeSessions(home, count);
    const rebuilt = await openStoreOf(home);
    const naiveMs = await timed(() => readEverything(layout));
    const opened = await openStoreOf(home);
    const pageMs = median(opened.pages);
    const ms = (value: number) => `${value < 100 ? value.toFixed(2) : Math.round(value)} ms`;
    return [
      {
        name: "list page of 100,000, median",
        ours: ms(pageMs),
        baseline: `${ms(naiveMs)} reading all files`,
        ratio: pageMs / naiveMs,
        budget: "< 10 ms",
        holds: pageMs < 10,
      },
      {
        name: "list page of 100,000, 95th percentile",
        ours: ms(percentile(opened.pages, 95)),
        baseline: "",
        ratio: null,
        budget: "< 10 ms",
        holds: percentile(opened.pages, 95) < 10,
      },
      {
        name: "slowest of 20 searches for what is rare in 100,000",
        ours: ms(opened.searchMs),
        baseline: `${ms(naiveMs)} reading all files`,
        ratio: opened.searchMs / naiveMs,
        budget: "< 10 ms",
        holds: opened.searchMs < 10,
      },
      {
        name: "start from the snapshot, 100,000",
        ours: ms(opened.openMs),
        baseline: `${ms(naiveMs)} reading all files`,
        ratio: opened.openMs / naiveMs,
        budget: "< 5 s",
        holds: opened.openMs < 5_000,
      },
      {
        name: "memory of that process",
        ours: `${Math.round(opened.rssMb)} MB`,
        baseline: "",
        ratio: null,
        budget: "< 300 MB",
        holds: opened.rssMb < 300,
      },
      {
        name: "rebuild without a snapshot, 100,000",
        ours: `${(rebuilt.settledMs / 1000).toFixed(1)} s`,
        baseline: `${ms(naiveMs)} reading all files`,
        ratio: rebuilt.settledMs / naiveMs,
        budget: "< 60 s",
        holds: rebuilt.settledMs < 60_000 && rebuilt.answeredMeanwhile > 0,
      },
      {
        name: "longest pause while rebuilding",
        ours: ms(rebuilt.longestBlockMs),
        baseline: "",
        ratio: null,
        budget: "< 100 ms",
        holds: rebuilt.longestBlockMs < 100,
      },
      ...(await searchRows({ count, layout, rebuilt, opened })),
    ];
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function readEverything(layout: Layout): Promise<void> {
  const sessions: { lastActivityAt: string }[] = [];
  for (const name of await readdir(layout.sessions)) {
    const record = layout.session(SessionId.parse(name)).record;
    sessions.push(JSON.parse(await readFile(record, "utf8")) as { lastActivityAt: string }); // as makeSessions wrote them
  }
  sessions.sort((a, b) => b.lastActivityAt.localeCompare(a.lastActivityAt));
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
