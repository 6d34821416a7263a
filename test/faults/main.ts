import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { killAgent, killHall, killHallAtWrite } from "./killed.ts";
import { killHallAtJobs, killWorkerAtJobs } from "./killed-jobs.ts";
import { createRandom } from "./random.ts";
import type { Random } from "./random.ts";

/** `npm run faults [-- --seed N --rounds M --kind K]`: breaks a hall again and again and says what did not survive. A seed repeats a run. */
const kinds: Record<string, (home: string, random: Random) => Promise<string[]>> = {
  "hall killed": killHall,
  "at a write": killHallAtWrite,
  "agent killed": killAgent,
  "jobs, hall": killHallAtJobs,
  "jobs, worker": killWorkerAtJobs,
};

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    rounds: { type: "string", default: "50" },
    kind: { type: "string", multiple: true, default: Object.keys(kinds) },
  },
});
const [firstSeed, rounds] = [Number(values.seed), Number(values.rounds)];
const wanted = Object.entries(kinds).filter(([kind]) => values.kind.includes(kind));
if (wanted.length < values.kind.length) {
  process.stderr.write(`--kind is one of: ${Object.keys(kinds).join(", ")}.\n`);
  process.exit(2);
}
if (!Number.isSafeInteger(firstSeed) || !Number.isSafeInteger(rounds) || rounds < 1) {
  process.stderr.write("--seed and --rounds must be whole numbers.\n");
  process.exit(2);
}

const table: { kind: string; rounds: number; faults: number }[] = [];
for (const [kind, strike] of wanted) {
  let faults = 0;
  for (let round = 0; round < rounds; round += 1) {
    const seed = firstSeed + round;
    const folder = await mkdtemp(join(tmpdir(), "guild-hall-faults-"));
    const found = await strike(join(folder, "home"), createRandom(seed)).catch((error: unknown) => [String(error)]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    faults += found.length;
    process.stderr.write(`${kind}, seed ${seed}: ${found.length === 0 ? "nothing lost" : found.join(" ")}\n`);
  }
  table.push({ kind, rounds, faults });
}
for (const row of table)
  process.stdout.write(`${row.kind.padEnd(16)} ${String(row.rounds).padStart(5)} rounds ${String(row.faults).padStart(5)} faults\n`);
process.exitCode = table.every(({ faults }) => faults === 0) ? 0 : 1;
