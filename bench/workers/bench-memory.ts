import { setTimeout as pause } from "node:timers/promises";
import { keptBy, tellsWhatItKeeps } from "../../test/researcher/kept-memory.ts";
import type { SpawnedResearcher } from "../../test/researcher/researcher-process.ts";
import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { measured } from "../measured.ts";
import { oneTool, runJobs } from "./run-jobs.ts";
import { withWorker } from "./worker-stage.ts";

/** After the first ones everything is loaded that will ever be, so that what comes later shows the slope. */
const count = { first: 24, later: 56 };
const kibibyte = 1024;
const said = "What was said. ".repeat(4000);
const budgetKib = 8;
const looks = { count: 5, restMs: 500 };

/** What each further job leaves in the memory of the worker: a line about it, and nothing of what was said in it. */
export async function benchMemory(effort: Effort): Promise<BenchRow> {
  const [first, later] = [effort.size(count.first), effort.size(count.later)];
  const stage = { reply: (step: number) => ({ ...oneTool(step), text: said }), env: tellsWhatItKeeps };
  const grown = await withWorker(stage, async ({ member, spawned }) => {
    await runJobs(member, first);
    const before = await keptAtRest(spawned);
    await runJobs(member, later);
    return (await keptAtRest(spawned)) - before;
  });
  return measured({
    name: `memory in use of the worker for each of ${later} more jobs`,
    ours: Math.max(0, grown / later / kibibyte),
    unit: "KiB",
    baseline: { value: said.length / kibibyte, of: "said in each" },
    budget: { most: budgetKib },
  });
}

/** The last agents let go of what they had a moment after their jobs are over. */
async function keptAtRest(spawned: SpawnedResearcher): Promise<number> {
  const kept: number[] = [];
  while (kept.length < looks.count) {
    await pause(looks.restMs);
    kept.push(await keptBy(spawned));
  }
  return Math.min(...kept);
}
