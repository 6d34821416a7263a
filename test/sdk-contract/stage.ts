import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { query } from "@anthropic-ai/claude-agent-sdk";
import type {
  HookCallback,
  HookJSONOutput,
  Options,
  PreToolUseHookInput,
  Query,
  SDKMessage,
  SDKResultMessage,
  SDKUserMessage,
} from "@anthropic-ai/claude-agent-sdk";
import { vi } from "vitest";
import type { TestContext } from "vitest";
import { childEnvironment } from "../../src/adapters/agent/child-environment.ts";
import { createChildProcess } from "../../src/adapters/agent/child-process.ts";
import type { ChildProcessHandle } from "../../src/adapters/agent/child-process.ts";
import { createDeathSignal } from "../../src/adapters/processes/death-signal.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { showRequest } from "./show-request.ts";
import { allow } from "./stage-tools.ts";

export type Stage = {
  cwd: string;
  model: ScriptedModel;
  start(prompt: Prompt, change?: Change): Run;
  /** Starts a process and waits until it has gone. */
  play(prompt: Prompt, change?: Change): Promise<Played>;
  /** Empty before the SDK has written any of it, which it does a moment after it reports a message. */
  transcript(id: string): Promise<string>;
};

/** A list is input that stays open until the first result. */
export type Prompt = string | SDKUserMessage[] | AsyncIterable<SDKUserMessage>;

export type Change = Omit<Options, "env"> & { gate?: Gate; gateTimeout?: number; env?: Record<string, string> };

/** The PreToolUse hook. Without one, every call is allowed. */
export type Gate = (call: GatedCall, signal: AbortSignal) => HookJSONOutput | Promise<HookJSONOutput>;
type GatedCall = PreToolUseHookInput & { tool_input: Record<string, unknown> };

export type Run = { query: Query; child: ChildProcessHandle; messages: SDKMessage[]; played: Promise<Played> };

export type Played = {
  id: string;
  messages: SDKMessage[];
  result: SDKResultMessage | undefined;
  /** The message of the error that the SDK threw at the end. */
  error: string | null;
  /** What the model was shown in each request of this process. */
  shown: string[][];
};

/** A stage that is removed after the test. The n-th reply answers the n-th request, and the last one all that follow. */
export async function setStage({ onTestFinished }: Pick<TestContext, "onTestFinished">, replies: readonly Reply[]): Promise<Stage> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "guild-hall-sdk-")));
  const cwd = join(folder, "work");
  const folders = { home: join(folder, "home"), config: join(folder, "config"), temporary: join(folder, "tmp") };
  await Promise.all([cwd, ...Object.values(folders)].map((path) => mkdir(path)));
  let asked = 0;
  const model = await startScriptedModel({ script: () => replies[Math.min((asked += 1), replies.length) - 1] });
  const backend = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" };
  const ownEnv = childEnvironment({ folders, backend, host: process.env, maxRetries: 0 });
  const deathSignal = await createDeathSignal(process.env)();
  const children: ChildProcessHandle[] = [];

  onTestFinished(async () => {
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(children.map((child) => child.gone()));
    await model.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  function start(prompt: Prompt, { gate = () => allow(), gateTimeout = 600, env, hooks, ...change }: Change = {}): Run {
    const child = createChildProcess({}, deathSignal);
    children.push(child);
    const messages: SDKMessage[] = [];
    const over = Promise.withResolvers<void>();
    const earlier = model.requests.length;
    const talk = query({
      prompt: Array.isArray(prompt) ? openUntil(over.promise, prompt) : prompt,
      options: {
        cwd,
        model: "claude-opus-5-5",
        env: { ...ownEnv, ...env },
        systemPrompt: { type: "custom", prompt: "You are on a stage.", snapshot: true },
        tools: [],
        strictMcpConfig: true,
        settingSources: [],
        verbatimPrompts: true,
        permissionMode: "dontAsk",
        hooks: { PreToolUse: [{ onFailure: "block", timeout: gateTimeout, hooks: [hookOf(gate)] }], ...hooks },
        spawnClaudeCodeProcess: (options) => child.spawn(options),
        ...change,
      },
    });

    async function readAll(): Promise<Played> {
      const error = await read(talk, (message) => {
        messages.push(message);
        if (message.type === "result") over.resolve();
      });
      over.resolve();
      await child.gone();
      const shown = model.requests.slice(earlier).map(({ body }) => showRequest(body.messages));
      return { id: messages[0]?.session_id ?? "", messages, result: messages.find((message) => message.type === "result"), error, shown };
    }
    return { query: talk, child, messages, played: readAll() };
  }

  return {
    cwd,
    model,
    start,
    play: (prompt, change) => start(prompt, change).played,
    transcript: (id) =>
      readFile(join(folders.config, "projects", cwd.replaceAll(/[^a-zA-Z0-9]/g, "-"), `${id}.jsonl`), "utf8").catch(() => ""),
  };
}

/** Waits until the SDK has reported so many results of tools. */
export const toolResults = (run: Run, count: number): Promise<unknown> =>
  until(() => run.messages.filter(({ type }) => type === "user").length >= count);

export const until = (isReached: () => boolean | Promise<boolean>): Promise<unknown> =>
  vi.waitUntil(isReached, { timeout: 30_000, interval: 10 });

const hookOf =
  (gate: Gate): HookCallback =>
  async (input, _id, { signal }) => {
    // The SDK gives a hook the input of the event it was registered for, and the input of a tool is always an object.
    return gate(input as GatedCall, signal);
  };

async function* openUntil(over: Promise<void>, messages: SDKUserMessage[]): AsyncIterable<SDKUserMessage> {
  yield* messages;
  await over;
}

async function read(talk: Query, onMessage: (message: SDKMessage) => void): Promise<string | null> {
  try {
    for await (const message of talk) onMessage(message);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
