import { join } from "node:path";
import type { AgentEvent } from "../../core/agent/agent-run.ts";
import { createAgentRunner } from "./agent-runner.ts";

/** A program for a test: one run in a folder of whoever starts it, told to stdout. */
const [folder = "", url = ""] = process.argv.slice(2);
const sdk = join(folder, "sdk");
const cwd = join(folder, "work");
const runner = createAgentRunner({
  backend: () => ({ childEnv: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "key-of-the-test" } }),
  folders: { home: join(sdk, "home"), config: join(sdk, "config"), temporary: join(sdk, "tmp") },
  hostEnv: process.env,
});
const events: AgentEvent[] = [];
const run = runner.run({
  prompt: "hello",
  systemPrompt: "You are a guest.",
  builtInTools: ["Read"],
  toolServers: [],
  folders: { cwd, read: [cwd], write: [] },
  limits: { maxTurns: 5 },
  conversation: null,
  signal: new AbortController().signal,
});
for await (const event of run) events.push(event);
process.stdout.write(JSON.stringify({ uid: process.getuid?.(), events }));
