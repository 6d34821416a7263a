import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { measured } from "../measured.ts";
import { median } from "../median.ts";
import { timed } from "../timed.ts";

const launcher = join(import.meta.dirname, "../../bin/guild-hall.js");

/** What a person waits for who only wants to know what there is, beside a Node that does nothing. */
export async function benchHelp({ rounds }: Effort): Promise<BenchRow[]> {
  const helps: number[] = [];
  const nothings: number[] = [];
  for (let round = 0; round < rounds(20); round += 1) {
    helps.push(await timed(async () => run([launcher, "--help"])));
    nothings.push(await timed(async () => run(["-e", "0"])));
  }
  return [
    measured({
      name: "guild-hall --help",
      ours: median(helps),
      unit: "ms",
      baseline: { value: median(nothings), of: "node -e 0" },
      budget: { most: 300 },
    }),
  ];
}

function run(args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} failed: ${stderr}`);
}
