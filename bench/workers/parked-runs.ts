import { createRunsStage, writeCall } from "../../src/core/delegation/runs-stage.testing.ts";
import type { RunsStage } from "../../src/core/delegation/runs-stage.testing.ts";

/**
 * A program: parks so many runs that wait for a person, made through the ports with a scripted runner, and prints what they
 * keep in memory and how many have a process. Its disk is memory too, so the real figure is lower.
 */
const count = Number(process.argv[2]);
const mebibyte = 2 ** 20;

async function park(stage: RunsStage, runs: number): Promise<void> {
  for (let made = 0; made < runs; made += 1) {
    stage.start("desk");
    for (const before = stage.pending().length; stage.pending().length === before;) {
      await stage.world.settle();
      stage.model(0, () => ({ call: [writeCall(`${made}.txt`)] }));
      await stage.world.settle();
    }
  }
  while (stage.hall().runner.processes().length > 0 && stage.world.passTime()) await stage.world.settle();
}

function memory(): { heap: number; rss: number } {
  for (let times = 0; times < 4; times += 1) globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed / mebibyte, rss: rss / mebibyte };
}

// Everything is loaded and compiled before the first look, and the heap is as large as the work makes it.
await park(createRunsStage(1, { processes: 24 }), count);
const stage = createRunsStage(2, { processes: 24 });
await stage.world.settle();
const before = memory();
await park(stage, count);
const after = memory();

const waiting = stage.open().filter(({ state }) => state === "waiting").length;
const processes = stage.hall().runner.processes().length;
process.stdout.write(JSON.stringify({ waiting, processes, heap: after.heap - before.heap, rss: after.rss - before.rss }));
