import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { amount, measured } from "../measured.ts";
import { median } from "../median.ts";
import type { AgentEvent } from "../../src/core/agent/agent-run.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { stopBare } from "./bare-stop.ts";
import { readToEnd, setBenchStage } from "./bench-stage.ts";
import type { BenchStage } from "./bench-stage.ts";

const budgetMs = 500;

/** Where a run is stopped: how the model brings it there, and how it is known, from our runner and from the bare SDK. */
type Moment = { where: string; reply: Reply; event: AgentEvent["type"]; message: string };

const moments: readonly Moment[] = [
  {
    where: "in text",
    reply: { text: "on and on", chunkSize: 3, fault: { how: "stall", afterChunks: 2 } },
    event: "text",
    message: '"text_delta"',
  },
  { where: "in a tool", reply: { tools: [{ name: "mcp__bench__echo", input: {} }] }, event: "tool_use", message: '"tool_use"' },
  {
    where: "in a retry wait",
    reply: { error: { status: 429, message: "wait", retryAfter: 20 } },
    event: "retry",
    message: '"api_retry"',
  },
];

/** From the wish to stop until the process is gone, beside an abort of the bare SDK. */
export async function benchStops(effort: Effort): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const moment of moments) rows.push(await benchStop(moment, effort.rounds(5)));
  return rows;
}

async function benchStop(moment: Moment, samples: number): Promise<BenchRow> {
  const called = { begun: Promise.withResolvers<void>() };
  const stage = await setBenchStage(
    () => moment.reply,
    () => {
      called.begun.resolve();
      return new Promise(() => undefined);
    },
  );
  /** A tool is only stopped once it was called, which is after it was told of. */
  const isThere = (): Promise<void> => (moment.event === "tool_use" ? called.begun.promise : Promise.resolve());
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let sample = 0; sample < samples; sample += 1) {
    called.begun = Promise.withResolvers<void>();
    times.ours.push(await stopOurs(stage, moment, isThere));
    called.begun = Promise.withResolvers<void>();
    times.bare.push(await stopBare(stage, moment.message, isThere));
  }
  await stage.end();
  const worst = Math.max(...times.ours);
  return measured({
    name: `stop ${moment.where} to process gone, worst`,
    ours: worst,
    unit: "ms",
    detail: `median ${amount(median(times.ours), "ms")}`,
    baseline: { value: Math.max(...times.bare), of: "bare SDK" },
    budget: { most: budgetMs },
  });
}

async function stopOurs(stage: BenchStage, { event }: Moment, isThere: () => Promise<void>): Promise<number> {
  const stop = new AbortController();
  let asked = 0;
  await readToEnd(stage.runner.run(stage.agentRun({ signal: stop.signal })), (told) => {
    if (told.type !== event || asked > 0) return;
    void isThere().then(() => {
      asked = performance.now();
      stop.abort();
    });
  });
  return stage.lastGone() - asked;
}
