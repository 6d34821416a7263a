import type { BenchRow } from "../bench-row.ts";
import { median } from "../median.ts";
import type { AgentEvent } from "../../src/core/agent/agent-run.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { readToEnd, setBenchStage } from "./bench-stage.ts";

const budgetMs = 500;
const samples = 7;

/** From the wish to stop until the process is gone. */
export async function benchStops(): Promise<BenchRow[]> {
  return [
    await benchStop(
      "in text",
      { text: "on and on", chunkSize: 3, fault: { how: "stall", afterChunks: 2 } },
      (event) => event.type === "text",
    ),
    await benchStop("in a tool", { tools: [{ name: "mcp__bench__echo", input: {} }] }, (event) => event.type === "tool_use"),
    await benchStop("in a retry wait", { error: { status: 429, message: "wait", retryAfter: 20 } }, (event) => event.type === "retry"),
  ];
}

async function benchStop(where: string, reply: Reply, isMoment: (event: AgentEvent) => boolean): Promise<BenchRow> {
  const called = { begun: Promise.withResolvers<void>() };
  const stage = await setBenchStage(
    () => reply,
    () => {
      called.begun.resolve();
      return new Promise(() => undefined);
    },
  );
  const took: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const stop = new AbortController();
    called.begun = Promise.withResolvers<void>();
    let asked = 0;
    const stopNow = () => {
      asked = performance.now();
      stop.abort();
    };
    await readToEnd(stage.runner.run(stage.agentRun({ signal: stop.signal })), (event) => {
      if (!isMoment(event) || asked > 0) return;
      if (event.type === "tool_use") void called.begun.promise.then(stopNow);
      else stopNow();
    });
    took.push(stage.lastGone() - asked);
  }
  await stage.end();
  const worst = Math.max(...took);
  return {
    name: `stop ${where} to process gone`,
    ours: `${median(took).toFixed(0)} ms, worst ${worst.toFixed(0)} ms`,
    baseline: "none",
    ratio: null,
    budget: `≤ ${budgetMs} ms`,
    holds: worst <= budgetMs,
  };
}
