import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import { childEnvironment } from "../../guild-members/researcher/environment.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import type { Researcher } from "../../test/researcher/researcher-process.ts";
import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { measured } from "../measured.ts";
import { median } from "../median.ts";
import { residentMebibytes } from "../process-usage.ts";
import { timed } from "../timed.ts";
import { withWorker } from "./worker-stage.ts";

const memoryJobs = { warm: 200, all: 1000 };
const budgets = { ratio: 0.8, growth: 1.25 };

const oneTool = (step: number): Reply =>
  step === 1 ? { tools: [{ name: "mcp__worker-internal__submit_result", input: { output: "Done." } }] } : { text: "Done." };

/** Whole jobs: many at once beside as many bare queries of the SDK, and very many one after the other. */
export async function benchJobs(effort: Effort): Promise<BenchRow[]> {
  return [await benchAtOnce(effort), await benchMemory(effort)];
}

async function benchAtOnce(effort: Effort): Promise<BenchRow> {
  const atOnce = effort.size(32);
  const { ours, bare } = await withWorker({ reply: oneTool }, async ({ member, model, folder }) => {
    const measured = { ours: [] as number[], bare: [] as number[] };
    for (let round = 0; round < effort.rounds(5); round += 1) {
      measured.ours.push(await timed(() => runJobs(member, atOnce)));
      const all = Array.from({ length: atOnce }, (_, number) => bareQuery(model.url, join(folder, `bare-${round}-${number}`)));
      measured.bare.push(await timed(() => Promise.all(all.map((one) => one()))));
    }
    return measured;
  });
  return measured({
    name: `${atOnce} jobs dispatched at once`,
    ours: median(ours),
    unit: "ms",
    baseline: { value: median(bare), of: "bare SDK" },
    budget: { times: budgets.ratio },
  });
}

/** One `query()` with one tool, in the environment that the researcher makes, and nothing else of ours. */
function bareQuery(modelUrl: string, folder: string): () => Promise<void> {
  return async () => {
    const env = childEnvironment({ PATH: process.env["PATH"], ANTHROPIC_BASE_URL: modelUrl, ANTHROPIC_API_KEY: "bench" }, folder);
    const submit = tool("submit_result", "Hand in the report.", { output: z.string() }, async () => ({
      content: [{ type: "text", text: "Handed in." }],
    }));
    const mcpServers = { "worker-internal": createSdkMcpServer({ name: "worker-internal", tools: [submit] }) };
    const options = {
      env,
      mcpServers,
      settingSources: [],
      tools: ["Read"],
      permissionMode: "bypassPermissions" as const,
      allowDangerouslySkipPermissions: true,
    };
    for await (const message of query({ prompt: "Measure me.", options }))
      if (message.type === "result" && message.is_error) throw new Error("A bare query failed.");
  };
}

/** The member keeps a line of each job, and nothing of what was said in it. */
async function benchMemory(effort: Effort): Promise<BenchRow> {
  const count = { warm: effort.size(memoryJobs.warm), all: effort.size(memoryJobs.all) };
  const words = "What was said. ".repeat(4000);
  const [warm, all] = await withWorker({ reply: (step) => ({ ...oneTool(step), text: words }) }, async ({ member }) => {
    await runJobs(member, count.warm);
    const before = await residentMebibytes(pidOf(member));
    await runJobs(member, count.all - count.warm);
    return [before, await residentMebibytes(pidOf(member))];
  });
  return measured({
    name: `memory of the worker after ${count.all} jobs`,
    ours: all,
    unit: "MiB",
    baseline: { value: warm, of: `after ${count.warm}` },
    budget: { times: budgets.growth },
  });
}

const Statuses = z.object({ jobs: z.array(z.object({ jobId: z.string(), status: z.string() })) });

async function runJobs(member: Researcher, count: number): Promise<void> {
  const ids = new Set(await Promise.all(Array.from({ length: count }, () => member.dispatch("Measure me."))));
  for (;;) {
    const { jobs } = await member.call("worker/list", {}, Statuses);
    const ours = jobs.filter(({ jobId }) => ids.has(jobId));
    if (ours.some(({ status }) => status === "failed")) throw new Error("A job failed.");
    if (ours.every(({ status }) => status === "completed")) return;
    // To be asked takes the member's time, and that of 32 bare queries nobody takes.
    await pause(200);
  }
}

function pidOf({ child }: Researcher): number {
  if (child.pid === undefined) throw new Error("The worker was never started.");
  return child.pid;
}
