import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { playedWorker } from "../../src/adapters/members/played-worker.testing.ts";
import { createHallClient } from "../../src/client/hall-client.ts";
import type { BenchRow } from "../bench-row.ts";
import { timed } from "../agent/bench-stage.ts";
import { serving } from "../hall/serving.ts";
import { median } from "../median.ts";

const few = 100;
const many = 10_000;
const rounds = 12;
const budgetMs = 250;

/** Longer than the hall takes what it saw for fresh: each list asks the worker. */
const staleMs = 600;

/** A page of the jobs of a worker that has very many, through the hall, beside the same where it has few. */
export async function benchListed(): Promise<BenchRow[]> {
  const [small, large] = [await measure(few), await measure(many)];
  return [row(`a page of ${many} jobs through /api/jobs`, large.page, small.page), row("the same by a glob", large.glob, small.glob)];
}

async function measure(count: number): Promise<{ page: number; glob: number }> {
  const home = await mkdtemp(join(tmpdir(), "guild-hall-bench-"));
  try {
    await addWorker(home, count);
    return await serving(home, async (url) => {
      const { jobs, roster } = createHallClient({ baseUrl: url });
      const isConnected = async () =>
        (await roster.list()).members.some(({ name, status }) => name === "archive" && status === "connected");
      while (!(await isConnected())) await pause(50);
      const times = { page: [] as number[], glob: [] as number[] };
      for (let round = 0; round < rounds; round += 1) {
        await pause(staleMs);
        times.page.push(await timed(() => jobs.list({ worker: "archive", limit: 50 })));
        await pause(staleMs);
        times.glob.push(await timed(() => jobs.list({ worker: "archive", filter: "Job *7*", limit: 50 })));
      }
      return { page: median(times.page.slice(2)), glob: median(times.glob.slice(2)) };
    });
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function addWorker(home: string, jobs: number): Promise<void> {
  const folder = join(home, "guild-members", "archive");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const about = { name: "archive", displayName: "Archive", description: "Has many jobs.", version: "1.0.0" };
  await writeFile(join(folder, "guild-member.json"), JSON.stringify({ ...about, ...playedWorker({ jobs }) }));
}

const row = (name: string, ms: number, fewMs: number): BenchRow => ({
  name,
  ours: `${ms.toFixed(1)} ms`,
  baseline: `${fewMs.toFixed(1)} ms with ${few}`,
  ratio: ms / fewMs,
  budget: `≤ ${budgetMs} ms`,
  holds: ms <= budgetMs,
});
