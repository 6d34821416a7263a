import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { playedWorker } from "../../src/adapters/members/played-worker.testing.ts";
import { createHallClient } from "../../src/client/hall-client.ts";
import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { serving } from "../hall/serving.ts";
import { measured } from "../measured.ts";
import { median } from "../median.ts";
import { timed } from "../timed.ts";

const few = 100;
const budgetMs = 250;

/** Longer than the hall takes what it saw for fresh: each list asks the worker. */
const staleMs = 600;

/** A page of the jobs of a worker that has very many, through the hall, beside the same where it has few. */
export async function benchListed(effort: Effort): Promise<BenchRow[]> {
  const [many, rounds] = [effort.size(10_000), effort.rounds(12)];
  const [small, large] = [await measure(few, rounds), await measure(many, rounds)];
  const size = many.toLocaleString("en");
  return [
    row(`a page of ${size} jobs through /api/jobs`, large.page, small.page),
    row(`a page of ${size} jobs through /api/jobs, by a glob`, large.glob, small.glob),
  ];
}

async function measure(count: number, rounds: number): Promise<{ page: number; glob: number }> {
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
      return { page: median(times.page.slice(1)), glob: median(times.glob.slice(1)) };
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

const row = (name: string, ours: number, fewMs: number): BenchRow =>
  measured({ name, ours, unit: "ms", baseline: { value: fewMs, of: `with ${few}` }, budget: { most: budgetMs } });
