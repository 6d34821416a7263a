import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";
import type { BenchRow } from "../bench-row.ts";
import { counted, measured } from "../measured.ts";

const count = 200;
const budgetMib = 20;
const program = new URL("./parked-runs.ts", import.meta.url).pathname;
const Parked = z.object({ waiting: z.int(), processes: z.int(), heap: z.number(), rss: z.number() });

/** What jobs keep that wait for a person for long. Not fewer in a trial: it takes 3 seconds. */
export async function benchParked(): Promise<BenchRow[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", program, String(count)]);
  const { waiting, processes, heap, rss } = Parked.parse(JSON.parse(stdout));
  return [
    counted(`jobs that wait for a person, parked`, waiting, count),
    counted("processes of parked jobs", processes, 0),
    measured({
      name: `memory of ${count} parked jobs`,
      ours: Math.max(0, rss),
      unit: "MiB",
      detail: `of which ${Math.max(0, heap).toFixed(1)} MiB are in use`,
      budget: { most: budgetMib },
    }),
  ];
}
