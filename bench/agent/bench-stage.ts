import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { query } from "@anthropic-ai/claude-agent-sdk";
import type { Options } from "@anthropic-ai/claude-agent-sdk";
import { createAgentRunner } from "../../src/adapters/agent/agent-runner.ts";
import { childEnvironment } from "../../src/adapters/agent/child-environment.ts";
import { shapeOf } from "../../src/adapters/agent/process-shape.ts";
import { queryOptions } from "../../src/adapters/agent/query-options.ts";
import type { AgentEvent, AgentRun, AgentRunner } from "../../src/core/agent/agent-run.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";

export type BenchStage = {
  runner: AgentRunner;
  agentRun(change?: Partial<AgentRun>): AgentRun;
  /** One `query()` of the SDK with the options our runner would give it, and nothing else of ours. */
  bare(each?: (message: unknown) => void, more?: Options): Promise<void>;
  /** When the model was last asked, on the clock of `performance`. */
  lastAsked(): number;
  /** When the last process went. */
  lastGone(): number;
  end(): Promise<void>;
};

/** A stage for measuring: a model that answers at once, and one tool, for our runner and for the bare SDK alike. */
export async function setBenchStage(
  reply: (step: number) => Reply,
  call: () => Promise<void> = () => Promise.resolve(),
): Promise<BenchStage> {
  const folder = await mkdtemp(join(tmpdir(), "guild-hall-bench-"));
  const cwd = join(folder, "work");
  const folders = { home: join(folder, "home"), config: join(folder, "config"), temporary: join(folder, "tmp") };
  for (const path of [cwd, ...Object.values(folders)]) await mkdir(path);
  let asked = 0;
  let gone = 0;
  const model = await startScriptedModel({
    script: (request) => {
      asked = performance.now();
      return reply(request.messages.filter((message) => message.role === "assistant").length + 1);
    },
  });
  const backend = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "bench" };
  const runner = createAgentRunner({
    backend: () => ({ childEnv: backend }),
    folders,
    hostEnv: process.env,
    onExit: () => (gone = performance.now()),
  });
  const agentRun = (change: Partial<AgentRun> = {}): AgentRun => ({
    prompt: "hello",
    systemPrompt: "You are being measured.",
    builtInTools: ["Read", "Grep", "Glob"],
    toolServers: [{ name: "bench", tools: [benchTool(call)] }],
    folders: { cwd, read: [cwd], write: [] },
    limits: { maxTurns: 10 },
    conversation: null,
    signal: new AbortController().signal,
    ...change,
  });

  return {
    runner,
    agentRun,
    async bare(each, more) {
      const { prompt, toolServers, ...rest } = agentRun();
      const served = {
        toolServers,
        isOpen: () => true,
        signal: new AbortController().signal,
        gate: () => Promise.resolve({ allow: true } as const),
        toolStarts: () => undefined,
        parks: () => undefined,
        recorded: () => Promise.resolve(),
      };
      const { spawnClaudeCodeProcess: _ours, ...options } = queryOptions({
        shape: shapeOf({ ...rest, toolServers }, backend),
        serving: { run: served },
        env: childEnvironment({ folders, backend, host: process.env, maxRetries: 5 }),
        resumes: false,
        spawn: () => {
          throw new Error("The SDK starts its own process here.");
        },
      });
      await readAll(query({ prompt, options: { ...options, ...more } }), each);
    },
    lastAsked: () => asked,
    lastGone: () => gone,
    async end() {
      await runner.close();
      await model.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function readToEnd(events: AsyncIterable<AgentEvent>, each: (event: AgentEvent) => void = () => undefined): Promise<void> {
  for await (const event of events) {
    each(event);
    if (event.type === "ended" && event.ending.outcome === "failed" && event.ending.code !== "stopped")
      throw new Error(event.ending.message);
  }
}

async function readAll(messages: AsyncIterable<unknown>, each: (message: unknown) => void = () => undefined): Promise<void> {
  for await (const message of messages) each(message);
}

const benchTool = (call: () => Promise<void>): AgentRun["toolServers"][number]["tools"][number] => ({
  name: "echo",
  description: "Answers with its input.",
  inputSchema: { type: "object", properties: { say: { type: "string" } } },
  call: async (input, { signal }) => {
    await Promise.race([call(), new Promise((resolve) => signal.addEventListener("abort", resolve))]);
    return { content: [{ type: "text", text: JSON.stringify(input) }] };
  },
});
