import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { newMeta } from "../../guild-members/researcher/job-files.ts";
import type { BenchRow } from "../bench-row.ts";
import { timed } from "../agent/bench-stage.ts";
import { median } from "../median.ts";
import { withWorker } from "./worker-stage.ts";

const few = 100;
const many = 10_000;
const budgets = { dispatchMs: 50, listMs: 100 };

/** What is asked of a worker while it has few jobs, and while it has many. */
export async function benchStored(): Promise<BenchRow[]> {
  const [small, large] = [await measure(few), await measure(many)];
  return [
    row(`worker/dispatch, ${few} jobs stored`, small.dispatchMs, budgets.dispatchMs),
    {
      ...row(`worker/dispatch, ${many} jobs stored`, large.dispatchMs, 2 * budgets.dispatchMs),
      baseline: `${small.dispatchMs.toFixed(1)} ms with ${few}`,
      ratio: large.dispatchMs / small.dispatchMs,
    },
    row(`worker/list of ${many} jobs by a glob for a tenth`, large.someMs, budgets.listMs),
    row(`worker/list of ${many} jobs by a glob for all`, large.allMs, budgets.listMs),
    row(`worker/list of ${many} jobs by the worst glob`, large.worstMs, 10 * budgets.listMs),
  ];
}

function measure(count: number): Promise<{ dispatchMs: number; someMs: number; allMs: number; worstMs: number }> {
  // One agent waits for its answer for ever, and everybody else for their turn: what is measured is the member alone.
  const stage = {
    reply: () => ({ fault: { how: "hang" as const } }),
    prepare: (folder: string) => storeJobs(folder, count),
    env: { WORKER_CONCURRENCY: "1" },
  };
  return withWorker(stage, async ({ member }) => {
    const list = (filter: string) => () =>
      timed(() => member.call("worker/list", { detail: "detailed", filter }, z.object({ jobs: z.array(z.unknown()) })));
    return {
      dispatchMs: median(await times(60, () => timed(() => member.dispatch("Measure me.")))),
      someMs: median(await times(20, list("*7: tides*"))),
      allMs: median(await times(20, list("Research *: tides*"))),
      worstMs: median(await times(5, list(`${"*?".repeat(249)}b`))),
    };
  });
}

async function storeJobs(folder: string, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const id = crypto.randomUUID();
    const job = join(folder, "jobs", id);
    await mkdir(job, { recursive: true });
    const meta = {
      ...newMeta(id, `Research ${number}: tides and what moves them`, new Date(1_767_225_600_000 + number * 1000)),
      status: "completed",
    };
    const files = {
      "meta.json": JSON.stringify(meta),
      "task.md": "Why?",
      "config.json": "{}",
      "status.md": "All sources are read.",
      "result.md": "The moon.",
    };
    await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(job, name), content)));
  }
}

async function times(count: number, one: () => Promise<number>): Promise<number[]> {
  const measured: number[] = [];
  for (let number = 0; number < count; number += 1) measured.push(await one());
  return measured.slice(Math.floor(count / 10));
}

const row = (name: string, ms: number, budgetMs: number): BenchRow => ({
  name,
  ours: `${ms.toFixed(1)} ms`,
  baseline: "",
  ratio: null,
  budget: `≤ ${budgetMs} ms`,
  holds: ms <= budgetMs,
});
