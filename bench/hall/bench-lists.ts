import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createLayout } from "../../src/adapters/files/layout.ts";
import { composeHall } from "../../src/server/compose.ts";
import { createTokenDoor } from "../../src/server/token.ts";
import { createMachine } from "../../src/server/without-hall.ts";
import { Config } from "../../src/schema/config.ts";
import type { BenchRow } from "../bench-row.ts";
import { makeSessions } from "../index/make-sessions.ts";
import { median, percentile } from "../median.ts";
import { serving } from "./serving.ts";

const count = 100_000;
const path = "/api/sessions?limit=50";

/** A page of a long list, at the fetch handler and over HTTP, beside the smallest answer the hall gives over HTTP. */
export async function benchLists(): Promise<BenchRow[]> {
  const home = await mkdtemp(join(tmpdir(), "guild-hall-bench-"));
  try {
    await makeSessions(home, count);
    const atHandler = await timeHandler(home);
    const { lists, healths } = await timeHttp(home);
    return [
      row("list page of 100,000 at the fetch handler", atHandler, null, 10),
      row("list page of 100,000 over HTTP, against /api/health", lists, healths, 15),
    ];
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function timeHandler(home: string): Promise<number[]> {
  const machine = createMachine({ env: { ...process.env, ANTHROPIC_API_KEY: "", ANTHROPIC_BASE_URL: "", HOME: home }, folder: home });
  const hall = await composeHall({
    home,
    config: Config.parse({}),
    token: null,
    version: "bench",
    machine,
    door: createTokenDoor(null),
    startedAt: 0,
    project: home,
  });
  await untilWhole(home);
  const times: number[] = [];
  for (let round = 0; round < 200; round += 1) times.push(await timed(() => hall.fetch(new Request(`http://hall${path}`))));
  await hall.close();
  return times;
}

function timeHttp(home: string): Promise<{ lists: number[]; healths: number[] }> {
  return serving(home, async (url) => {
    await untilWhole(home);
    const lists: number[] = [];
    const healths: number[] = [];
    for (let round = 0; round < 200; round += 1) {
      lists.push(await timed(() => fetch(url + path)));
      healths.push(await timed(() => fetch(`${url}/api/health`)));
    }
    return { lists, healths };
  });
}

/** The list is built in the background, and kept in a snapshot once it is whole; a page of less is not worth timing. */
async function untilWhole(home: string): Promise<void> {
  const { index } = createLayout(home);
  while (!(await readdir(index)).some((name) => name.endsWith(".snapshot"))) await pause(50);
}

async function timed(ask: () => Promise<Response>): Promise<number> {
  const start = performance.now();
  await (await ask()).text();
  return performance.now() - start;
}

function row(name: string, ours: readonly number[], baseline: readonly number[] | null, budgetMs: number): BenchRow {
  const at = (times: readonly number[]) => `${median(times).toFixed(2)} ms (95%: ${percentile(times, 95).toFixed(2)})`;
  return {
    name,
    ours: at(ours),
    baseline: baseline === null ? "" : at(baseline),
    ratio: baseline === null ? null : median(ours) / median(baseline),
    budget: `< ${budgetMs} ms`,
    holds: median(ours) < budgetMs,
  };
}
