import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { measured } from "../measured.ts";
import { median } from "../median.ts";
import { timed } from "../timed.ts";
import { benchMemory } from "./bench-memory.ts";
import { benchStops } from "./bench-stops.ts";
import { readToEnd, setBenchStage } from "./bench-stage.ts";

/** The agent boundary beside the bare SDK: interleaved pairs of the same work, in one run. */
export async function benchAgent(effort: Effort): Promise<BenchRow[]> {
  return [
    await benchCold(effort),
    await benchWarm(effort),
    await benchMany(effort),
    await benchMemory(effort),
    ...(await benchStops(effort)),
  ];
}

async function benchCold(effort: Effort): Promise<BenchRow> {
  const stage = await setBenchStage(() => ({ text: "Done." }));
  const pairs = await interleave(effort.rounds(10), {
    ours: () => timed(() => readToEnd(stage.runner.run(stage.agentRun()))),
    bare: () => timed(stage.bare),
  });
  await stage.end();
  return compare("one cold run, start to end", pairs, 1.1);
}

async function benchWarm(effort: Effort): Promise<BenchRow> {
  const stage = await setBenchStage(() => ({ text: "Done." }));
  const untilAsked = async (work: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await work();
    return stage.lastAsked() - start;
  };
  const pairs = await interleave(effort.rounds(10), {
    ours: async () => {
      await stage.runner.warm(stage.agentRun(), "bench");
      return untilAsked(() => readToEnd(stage.runner.run(stage.agentRun({ warmKey: "bench" }))));
    },
    bare: () => untilAsked(stage.bare),
  });
  await stage.end();
  return compare("send to first model request, warm against cold", pairs, 0.4);
}

async function benchMany(effort: Effort): Promise<BenchRow> {
  const stage = await setBenchStage((step) =>
    step === 1 ? { tools: [{ name: "mcp__bench__echo", input: { say: "hi" } }] } : { text: "Done." },
  );
  const count = effort.size(32);
  const all = (one: () => Promise<unknown>) => timed(() => Promise.all(Array.from({ length: count }, one)));
  const pairs = await interleave(effort.rounds(3), {
    ours: () => all(() => readToEnd(stage.runner.run(stage.agentRun()))),
    bare: () => all(stage.bare),
  });
  await stage.end();
  return compare(`${count} one-tool runs, all at once`, pairs, 0.8);
}

type Pairs = { ours: number[]; bare: number[] };

/** The first of many pairs only warms the disk cache. Which side goes first alternates, so that neither profits from the other. */
async function interleave(rounds: number, sides: { ours: () => Promise<number>; bare: () => Promise<number> }): Promise<Pairs> {
  const pairs: Pairs = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round += 1) {
    const order: (keyof Pairs)[] = round % 2 === 0 ? ["ours", "bare"] : ["bare", "ours"];
    for (const side of order) pairs[side].push(await sides[side]());
  }
  const skipped = rounds > 3 ? 1 : 0;
  return { ours: pairs.ours.slice(skipped), bare: pairs.bare.slice(skipped) };
}

const compare = (name: string, { ours, bare }: Pairs, times: number): BenchRow =>
  measured({ name, ours: median(ours), unit: "ms", baseline: { value: median(bare), of: "bare SDK" }, budget: { times } });
