import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { measured } from "../measured.ts";

/** What a process needs that has many runs done for it, through our runner and through the bare SDK. */
export async function benchMemory(effort: Effort): Promise<BenchRow> {
  const runs = effort.size(40);
  const [ours, bare] = [await peakOf("ours", runs), await peakOf("bare", runs)];
  return measured({
    name: `most memory of a process that had ${runs} runs done, 8 at once`,
    ours,
    unit: "MiB",
    baseline: { value: bare, of: "bare SDK" },
    budget: { times: 1.2 },
  });
}

async function peakOf(side: "ours" | "bare", runs: number): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, "run-many.ts"), side, String(runs)]);
  return Number(stdout);
}
