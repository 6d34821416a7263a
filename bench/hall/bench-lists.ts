import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createLayout } from "../../src/adapters/files/layout.ts";
import { Config } from "../../src/schema/config.ts";
import { composeHall } from "../../src/server/compose.ts";
import { createMachine } from "../../src/server/without-hall.ts";
import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { makeSessions } from "../index/make-sessions.ts";
import { readEverySession } from "../index/read-naively.ts";
import { amount, measured } from "../measured.ts";
import { median, percentile } from "../median.ts";
import { timed } from "../timed.ts";
import { serving } from "./serving.ts";

/** What a page of 100,000 takes from the store is measured with the index. */
const sizes = [100, 10_000];
const path = "/api/sessions?limit=50";

/** A page of a long list, at the fetch handler and over HTTP, beside reading all files for it. */
export async function benchLists(effort: Effort): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const size of sizes) rows.push(...(await benchList(effort.size(size), effort.rounds(200))));
  return rows;
}

async function benchList(count: number, rounds: number): Promise<BenchRow[]> {
  const home = await mkdtemp(join(tmpdir(), "guild-hall-bench-"));
  try {
    const layout = await makeSessions(home, count);
    const atHandler = await timeHandler(home, rounds);
    const { lists, healths } = await timeHttp(home, rounds);
    const naive = await timed(() => readEverySession(layout));
    const row = (where: string, times: readonly number[], most: number, baseline: { value: number; of: string }) =>
      measured({
        name: `list page of ${count.toLocaleString("en")} ${where}`,
        ours: median(times),
        unit: "ms",
        detail: `95% ${amount(percentile(times, 95), "ms")}`,
        baseline,
        budget: { most },
      });
    return [
      row("at the fetch handler", atHandler, 10, { value: naive, of: "reading all files" }),
      row("over HTTP", lists, 15, { value: median(healths), of: "/api/health" }),
    ];
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function timeHandler(home: string, rounds: number): Promise<number[]> {
  const machine = createMachine({
    env: { ...process.env, ANTHROPIC_API_KEY: "", ANTHROPIC_BASE_URL: "", HOME: home },
    folder: home,
    installation: [],
  });
  const hall = await composeHall({
    home,
    config: Config.parse({}),
    token: null,
    version: "bench",
    machine,
    startedAt: 0,
    project: home,
  });
  await untilWhole(home);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await read(() => hall.fetch(new Request(`http://hall${path}`))));
  await hall.close();
  return times;
}

const timeHttp = (home: string, rounds: number): Promise<{ lists: number[]; healths: number[] }> =>
  serving(home, async (url) => {
    await untilWhole(home);
    const lists: number[] = [];
    const healths: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      lists.push(await read(() => fetch(url + path)));
      healths.push(await read(() => fetch(`${url}/api/health`)));
    }
    return { lists, healths };
  });

/** The list is built in the background, and kept in a snapshot once it is whole; a page of less is not worth timing. */
async function untilWhole(home: string): Promise<void> {
  const { index } = createLayout(home);
  while (!(await readdir(index)).some((name) => name.endsWith(".snapshot"))) await pause(50);
}

const read = (ask: () => Promise<Response>): Promise<number> => timed(async () => (await ask()).text());
