import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import type { AgentEnding, AgentEvent, AgentRun, AgentRunner, Tool } from "../../core/agent/agent-run.ts";
import type { Reply } from "../../scripted-model/reply.ts";
import { startScriptedModel } from "../../scripted-model/server.ts";
import type { ScriptedModel } from "../../scripted-model/server.ts";
import { createAgentRunner } from "./agent-runner.ts";
import type { AgentRunnerDeps, RunnerLimits } from "./agent-runner.ts";

export type Stage = {
  runner: AgentRunner;
  model: ScriptedModel;
  folder: string;
  cwd: string;
  folders: AgentRunnerDeps["folders"];
  /** Processes started so far, and those that have gone. */
  spawned: number[];
  exited: number[];
  /** A run with nothing special about it, changed as told. */
  agentRun(change?: Partial<AgentRun>): AgentRun;
  /** Plays a run to its end. */
  play(change?: Partial<AgentRun>): Promise<Played>;
};

export type Played = { events: AgentEvent[]; ending: AgentEnding };

/** The n-th reply answers the n-th request, and the last one all that follow. */
export type Replies = readonly Reply[] | ((requestNumber: number) => Reply);

/** The real SDK, a model that says `replies`, and folders of their own; all gone when the test is over. */
export async function setStage(...parts: Parameters<typeof openStage>): Promise<Stage> {
  const stage = await openStage(...parts);
  onTestFinished(stage.close);
  return stage;
}

/** The same for all tests that look at one run. Call it in `beforeAll`, and close it when the last of them is over. */
export async function openStage(
  replies: Replies,
  limits: Partial<RunnerLimits> = {},
  more: Partial<AgentRunnerDeps> = {},
): Promise<Stage & { close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "guild-hall-agent-"));
  const cwd = join(folder, "work");
  await mkdir(cwd);
  let asked = 0;
  const replyTo = typeof replies === "function" ? replies : (number: number) => replies[Math.min(number, replies.length) - 1];
  const model = await startScriptedModel({ script: () => replyTo((asked += 1)) });
  const folders = { home: join(folder, "sdk/home"), config: join(folder, "sdk/config"), temporary: join(folder, "sdk/tmp") };
  const spawned: number[] = [];
  const exited: number[] = [];
  const runner = createAgentRunner({
    backend: () => ({ childEnv: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" } }),
    folders,
    hostEnv: process.env,
    onSpawn: ({ pid }) => spawned.push(pid),
    onExit: ({ pid }) => void (pid !== undefined && exited.push(pid)),
    ...more,
    limits,
  });
  async function close(): Promise<void> {
    await runner.close();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  }

  const agentRun = (change: Partial<AgentRun> = {}): AgentRun => ({
    prompt: "hello",
    systemPrompt: "You are on a stage.",
    builtInTools: [],
    toolServers: [],
    folders: { cwd, read: [cwd], write: [] },
    limits: { maxTurns: 10 },
    conversation: null,
    signal: new AbortController().signal,
    ...change,
  });
  const play = (change?: Partial<AgentRun>) => readAll(runner.run(agentRun(change)));
  return { runner, model, folder, cwd, folders, spawned, exited, agentRun, play, close };
}

export async function readAll(stream: AsyncIterable<AgentEvent>): Promise<Played> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  const last = events.at(-1);
  if (last?.type !== "ended") throw new Error(`The last event is ${last?.type ?? "missing"}, not ended.`);
  return { events, ending: last.ending };
}

export const eventsOf = <Type extends AgentEvent["type"]>(
  events: readonly AgentEvent[],
  type: Type,
): Extract<AgentEvent, { type: Type }>[] => events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);

/** A tool `stage/<name>` that answers with its input, or as told. */
export function stageTool(
  name: string,
  call: Tool["call"] = (input) => Promise.resolve(textResult(JSON.stringify(input))),
): AgentRun["toolServers"] {
  return [{ name: "stage", tools: [{ name, description: "A tool of the test.", inputSchema: { type: "object" }, call }] }];
}

export const textResult = (text: string) => ({ content: [{ type: "text" as const, text }] });

export const callOf = (name: string, input: Record<string, string | number | boolean> = {}): Reply => ({ tools: [{ name, input }] });

/** Waits for a state, on machines that may be busy. */
export const until = (isReached: () => boolean): Promise<unknown> => vi.waitUntil(isReached, { timeout: 30_000, interval: 20 });

/** Whether anything runs in the group that the process leads. What is dead and only not yet collected does not run. */
export function groupIsAlive(leader: number): boolean {
  const all = platform() === "linux" ? processesInProc() : processesByPs();
  return all.some(({ group, state }) => group === leader && !state.startsWith("Z"));
}

type ProcessState = { group: number; state: string };

function processesInProc(): ProcessState[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readIfThere(`/proc/${name}/stat`);
      // The name of the program stands in parentheses and may itself contain some.
      const [state = "", , group = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return stat === "" ? [] : [{ group: Number(group), state }];
    });
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function processesByPs(): ProcessState[] {
  const lines = execFileSync("ps", ["-A", "-o", "pgid=,stat="], { encoding: "utf8" }).trim().split("\n");
  return lines.map((line) => line.trim().split(/\s+/)).map(([group = "", state = ""]) => ({ group: Number(group), state }));
}
