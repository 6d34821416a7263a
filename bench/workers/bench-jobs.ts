import { join } from "node:path";
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";
import { childEnvironment } from "../../guild-members/researcher/environment.ts";
import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { measured } from "../measured.ts";
import { median } from "../median.ts";
import { timed } from "../timed.ts";
import { oneTool, runJobs } from "./run-jobs.ts";
import { withWorker } from "./worker-stage.ts";

const budget = 0.8;

/** Whole jobs, many at once, beside as many bare queries of the SDK. */
export async function benchJobs(effort: Effort): Promise<BenchRow> {
  const atOnce = effort.size(32);
  const { ours, bare } = await withWorker({ reply: oneTool }, async ({ member, model, folder }) => {
    const measured = { ours: [] as number[], bare: [] as number[] };
    for (let round = 0; round < effort.rounds(3); round += 1) {
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
    budget: { times: budget },
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
