import { join } from "node:path";
import { z } from "zod";
import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { measured } from "../measured.ts";
import { median } from "../median.ts";
import { timed } from "../timed.ts";
import { readJobsNaively, storeJob, storeJobs } from "./stored-jobs.ts";
import { withWorker } from "./worker-stage.ts";

const few = 100;
const budgets = { dispatchMs: 50, listMs: 100 };

/** What is asked of a worker while it has few jobs, and while it has many, beside reading and writing their files. */
export async function benchStored(effort: Effort): Promise<BenchRow[]> {
  const many = effort.size(10_000);
  const [small, large] = [await measure(few, effort), await measure(many, effort)];
  const size = many.toLocaleString("en");
  const reading = { value: large.readMs, of: "reading every meta.json" };
  const list = (how: string, ours: number, most: number): BenchRow =>
    measured({ name: `worker/list of ${size} jobs by ${how}`, ours, unit: "ms", baseline: reading, budget: { most } });
  return [
    measured({
      name: `worker/dispatch, ${few} jobs stored`,
      ours: small.dispatchMs,
      unit: "ms",
      baseline: { value: small.writeMs, of: "writing its files, unflushed" },
      budget: { most: budgets.dispatchMs },
    }),
    measured({
      name: `worker/dispatch, ${size} jobs stored`,
      ours: large.dispatchMs,
      unit: "ms",
      baseline: { value: small.dispatchMs, of: `with ${few}` },
      budget: { most: 2 * budgets.dispatchMs },
    }),
    list("a glob for a tenth", large.someMs, budgets.listMs),
    list("a glob for all", large.allMs, budgets.listMs),
    list("the worst glob", large.worstMs, 10 * budgets.listMs),
  ];
}

type Times = Record<"dispatchMs" | "someMs" | "allMs" | "worstMs" | "readMs" | "writeMs", number>;

function measure(count: number, effort: Effort): Promise<Times> {
  // One agent waits for its answer for ever, and everybody else for their turn: what is measured is the member alone.
  const stage = {
    reply: () => ({ fault: { how: "hang" as const } }),
    prepare: (folder: string) => storeJobs(folder, count),
    env: { WORKER_CONCURRENCY: "1" },
  };
  return withWorker(stage, async ({ member, folder }) => {
    const list = (filter: string) => () =>
      timed(() => member.call("worker/list", { detail: "detailed", filter }, z.object({ jobs: z.array(z.unknown()) })));
    const times = async (full: number, one: () => Promise<number>) => median(await allTimes(effort.rounds(full), one));
    return {
      readMs: await times(5, () => timed(() => readJobsNaively(folder))),
      writeMs: await times(60, () => timed(() => storeJob(join(folder, "unflushed"), 0))),
      dispatchMs: await times(60, () => timed(() => member.dispatch("Measure me."))),
      someMs: await times(20, list("*7: tides*")),
      allMs: await times(20, list("Research *: tides*")),
      worstMs: await times(5, list(`${"*?".repeat(249)}b`)),
    };
  });
}

async function allTimes(count: number, one: () => Promise<number>): Promise<number[]> {
  const found: number[] = [];
  for (let number = 0; number < count; number += 1) found.push(await one());
  return found.slice(Math.floor(count / 10));
}
