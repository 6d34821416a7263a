import { setTimeout as pause } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { MemberName } from "../../src/schema/ids.ts";
import { openBrowser, windowSize } from "../web/open-browser.ts";
import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { askedHealth, watchHealth } from "../hall/watch-health.ts";
import { amount, measured } from "../measured.ts";
import { percentile } from "../median.ts";
import { setLoadStage } from "./load-stage.ts";
import type { LoadStage } from "./load-stage.ts";
import { fillTask, longTexts } from "./long-texts.ts";

const worker = MemberName.parse("archive");
const budgets = { healthMs: 250, longestMs: 750, growth: 1.1 };
/** Formatting goes on for a while after a page has come to life. */
const lookMs = 1500;

/** What a model or a worker sends without end must not hold up a hall that shows it. */
export async function benchLongTexts(effort: Effort): Promise<BenchRow[]> {
  let text = "";
  const furniture = { sessions: 0, jobs: 0, members: 0, toolsEach: 0, hasBundled: false };
  const stage = await setLoadStage(furniture, () => ({ text, chunkSize: Math.max(1, text.length) }));
  const browser = await openBrowser();
  try {
    const atRest = await askedHealth(stage.hall.url, effort.rounds(200));
    const paths: [string, string][] = [];
    for (const [name, texts] of Object.entries(longTexts)) paths.push([name, await answered(stage, texts, (next) => (text = next))]);
    paths.push(["a result of 4 MB", await worked(stage)]);
    const rows: BenchRow[] = [];
    for (const [name, path] of paths) rows.push(...healthRows(name, await openAgain(stage, browser, path, effort.rounds(3)), atRest));
    const before = await stage.memory();
    for (const [, path] of paths) await openAgain(stage, browser, path, effort.rounds(3));
    const after = await stage.memory();
    return [
      ...rows,
      measured({
        name: "memory in use after these pages were opened once more",
        ours: after.live,
        unit: "MiB",
        detail: `resident ${amount(after.resident, "MiB")}`,
        baseline: { value: before.live, of: `before, resident ${amount(before.resident, "MiB")}` },
        budget: { times: budgets.growth },
      }),
    ];
  } finally {
    await browser.close();
    await stage.end();
  }
}

function healthRows(name: string, times: readonly number[], atRest: readonly number[]): BenchRow[] {
  const row = (which: string, percent: number, most: number): BenchRow =>
    measured({
      name: `/api/health, ${which}, while a page with ${name} opens`,
      ours: percentile(times, percent),
      unit: "ms",
      baseline: { value: percentile(atRest, percent), of: "at rest" },
      budget: { most },
    });
  return [row("95%", 95, budgets.healthMs), row("longest", 100, budgets.longestMs)];
}

/** A session whose model has said these texts, one after the other. */
async function answered({ hall }: LoadStage, texts: readonly string[], sayNext: (text: string) => void): Promise<string> {
  const { id } = await hall.client.sessions.create({ name: "Long texts" });
  for (const text of texts) {
    sayNext(text);
    await hall.client.sessions.send(id, "Tell me all of it.");
    while ((await hall.client.sessions.get(id, { limit: 1 })).session.status === "running") await pause(100);
  }
  return `/sessions/${id}`;
}

async function worked({ hall }: LoadStage): Promise<string> {
  const { jobId } = await hall.client.jobs.dispatch(worker, { description: "Much", task: fillTask(4_000_000).task });
  while ((await hall.client.jobs.get(worker, jobId)).status !== "completed") await pause(100);
  return `/jobs/${worker}/${jobId}`;
}

/**
 * The response times of /api/health while a browser opens the page, until the page is alive. The hall is idle after that: its fast
 * responses would hide one long wait per opening from the 95th percentile.
 */
async function openAgain({ hall }: LoadStage, browser: Browser, path: string, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const page = await browser.newPage(windowSize);
    const watch = watchHealth(hall.url);
    await page.goto(`${hall.url}${path}`);
    await page.locator("[data-live=online]").waitFor({ state: "attached" });
    times.push(...(await watch.end()));
    await page.waitForTimeout(lookMs);
    await page.close();
  }
  return times;
}
