import { setTimeout as pause } from "node:timers/promises";
import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { counted, measured } from "../measured.ts";
import { median } from "../median.ts";
import { setIdleStage } from "./idle-stage.ts";
import { sampleUsage } from "./usage-sample.ts";
import type { Kind, UsageSample } from "./usage-sample.ts";

/** What was begun before, such as an index or a process that waits for a message, comes to its end in this part of the time. */
const settlingPart = 0.3;
const samples = 80;

/** Seconds of a processor in a minute: 0.6 are one percent of a core. */
const budgets = { growth: 1.1, liveGrowth: 1.05, secondsPerMinute: { hall: 0.6, members: 0.6, pages: 1.2 } };

const names = { hall: "the hall", members: "all it started", pages: "three pages" };
const kinds = ["hall", "members", "pages"] as const satisfies readonly Kind[];

/** A hall that nobody asks anything: what it, its members and its pages do all the same. */
export async function benchIdle({ minutes }: Effort): Promise<BenchRow[]> {
  const stage = await setIdleStage();
  try {
    const [calls, totalMs] = [stage.modelCalls(), minutes * 60_000];
    await pause(totalMs * settlingPart);
    const liveAtFirst = await stage.liveHeap();
    const taken = await watch(totalMs * (1 - settlingPart), () => sampleUsage(stage));
    const live = await stage.liveHeap();
    return [
      counted(`model calls in ${minutes} minutes`, stage.modelCalls() - calls, 0),
      measured({
        name: "memory in use of the hall, at the end",
        ours: live,
        unit: "MiB",
        baseline: { value: liveAtFirst, of: "once it was at rest" },
        budget: { times: budgets.liveGrowth },
      }),
      ...memoryRows(taken),
      ...processorRows(taken),
    ];
  } finally {
    await stage.end();
  }
}

async function watch(totalMs: number, look: () => Promise<UsageSample>): Promise<UsageSample[]> {
  const taken = [await look()];
  while (taken.length <= samples) {
    await pause(totalMs / samples);
    taken.push(await look());
  }
  return taken;
}

/** The middle of the last quarter beside the middle of the first: what comes and goes is in both, what grows is not. */
function memoryRows(taken: readonly UsageSample[]): BenchRow[] {
  const quarter = Math.floor(taken.length / 4);
  return kinds.map((kind) => {
    const middle = (some: readonly UsageSample[]) => median(some.map(({ memory }) => memory[kind]));
    return measured({
      name: `memory of ${names[kind]}, last quarter of the time`,
      ours: middle(taken.slice(-quarter)),
      unit: "MiB",
      baseline: { value: middle(taken.slice(0, quarter)), of: "in the first" },
      budget: { times: budgets.growth },
    });
  });
}

function processorRows(taken: readonly UsageSample[]): BenchRow[] {
  return kinds.map((kind) =>
    measured({
      name: `processor time of ${names[kind]}`,
      ours: secondsPerMinute(taken, kind),
      unit: "s/min",
      ...(kind === "hall" ? { baseline: { value: secondsPerMinute(taken, "bare"), of: "bare Node server" } } : {}),
      budget: { most: budgets.secondsPerMinute[kind] },
    }),
  );
}

function secondsPerMinute(taken: readonly UsageSample[], kind: Kind): number {
  const [first, last] = [taken[0], taken.at(-1)];
  if (first === undefined || last === undefined) throw new Error("Nothing was sampled.");
  const looking = kind === "pages" ? taken.slice(0, -1).reduce((sum, { spentOnLooking }) => sum + spentOnLooking, 0) : 0;
  return (last.seconds[kind] - first.seconds[kind] - looking) / ((last.at - first.at) / 60_000);
}
