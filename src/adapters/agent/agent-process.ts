import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { query, startup } from "@anthropic-ai/claude-agent-sdk";
import type { Query, SDKMessage, SDKUserMessage, WarmQuery } from "@anthropic-ai/claude-agent-sdk";
import type { AgentRun } from "../../core/agent/agent-run.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { DeathSignal } from "../processes/death-signal.ts";
import { childEnvironment, configFolderOf } from "./child-environment.ts";
import type { EnvironmentParts } from "./child-environment.ts";
import { createChildProcess } from "./child-process.ts";
import type { ChildProcessHandle, ChildWatch } from "./child-process.ts";
import type { ProcessShape } from "./process-shape.ts";
import { queryOptions } from "./query-options.ts";
import type { OptionParts } from "./query-options.ts";
import type { ServedRun, Serving } from "./served-run.ts";
import { stopChild } from "./stop-child.ts";
import { bringTranscript, hasTranscript } from "./transcript.ts";

export type AgentProcess = {
  child: ChildProcessHandle;
  /** Starts the process and lets it wait, without a model call. */
  warmUp(): Promise<void>;
  /** Sends the prompt; once per process. */
  serve(run: ServedRun, asked: Asked): AsyncIterable<SDKMessage>;
  stop(): Promise<void>;
  /** Clears away what a process leaves behind, after it has gone. */
  settle(): Promise<void>;
};

type Asked = Pick<AgentRun, "prompt" | "promptId" | "preface">;

export type ProcessDeps = Omit<EnvironmentParts, "backend"> & { watch: ChildWatch; deathSignal: DeathSignal } & Pick<
    OptionParts,
    "onProblem"
  >;

/** Prepares a process for runs of one shape: with a temporary folder of its own, which goes when it goes. */
export async function prepareProcess(deps: ProcessDeps, shape: ProcessShape): Promise<AgentProcess> {
  const { home, config, temporary } = deps.folders;
  // The SDK would blame the C library for a working folder that is not there.
  if (!(await isFolder(shape.folders.cwd))) throw new HallError("internal", `The working folder ${shape.folders.cwd} does not exist.`);
  await Promise.all([home, config, temporary].map((folder) => mkdir(folder, { recursive: true, mode: 0o700 })));
  const ownTemporary = await mkdtemp(join(temporary, "run-"));
  const env = childEnvironment({ ...deps, backend: shape.backend, folders: { ...deps.folders, temporary: ownTemporary } });
  const { conversation } = shape;
  if (conversation?.resume === true) await bringTranscript(configFolderOf(env), shape.folders.cwd, conversation.id);
  const resumes =
    conversation !== null && (conversation.resume || (await hasTranscript(configFolderOf(env), shape.folders.cwd, conversation.id)));

  const child = createChildProcess(deps.watch, await deps.deathSignal());
  const serving: Serving = { run: null };
  const spawn: OptionParts["spawn"] = (spawnOptions) => child.spawn(spawnOptions);
  const options = queryOptions({ shape, serving, env, resumes, spawn, onProblem: deps.onProblem });
  let warm: WarmQuery | null = null;
  let served: Query | null = null;
  let converses = false;

  return {
    child,
    async warmUp() {
      warm = await startup({ options });
    },
    async *serve(run, asked) {
      serving.run = run;
      const over = Promise.withResolvers<void>();
      const prompt = heldOpen(userMessage(asked), over.promise);
      served = warm === null ? query({ prompt, options }) : warm.query(prompt);
      converses = warm !== null;
      for await (const message of served) {
        converses = true;
        yield message;
        // The process ends by itself then, after it has written its transcript.
        if (message.type === "result") over.resolve();
      }
    },
    async stop() {
      if (child.exit() !== null) return;
      const talk = served;
      await stopChild({
        child,
        // One that is still starting would answer an interruption only after its first model call was on its way.
        interrupt: talk === null || !converses ? null : () => talk.interrupt(),
        close: () => (talk === null ? warm?.close() : talk.close()),
      });
    },
    async settle() {
      await child.gone();
      await Promise.all([
        rm(ownTemporary, { recursive: true, force: true }),
        removeOfProcess(join(configFolderOf(env), "sessions"), child.pid()),
      ]);
    },
  };
}

/** The input of a process. If it ended before the turn is over, the SDK would block every further call unasked. */
async function* heldOpen(message: SDKUserMessage, over: Promise<void>): AsyncGenerator<SDKUserMessage> {
  yield message;
  await over;
}

const userMessage = ({ preface, prompt, promptId }: Asked): SDKUserMessage => ({
  type: "user",
  // Any UUID is one, and the SDK names no function that makes the type.
  ...(promptId === undefined ? {} : { uuid: promptId as NonNullable<SDKUserMessage["uuid"]> }),
  message: { role: "user", content: [preface ?? [], prompt].flat().map((text) => ({ type: "text", text })) },
  parent_tool_use_id: null,
});

/** Ends a process and clears away after it. What cannot be cleared away is cleared when the next hall starts. */
export async function dispose(process: AgentProcess | null): Promise<void> {
  await process?.stop();
  await process?.settle().catch(() => undefined);
}

/** The SDK lists its live processes in files that begin with the process id; one that was killed cannot strike itself off. */
async function removeOfProcess(folder: string, pid: number | undefined): Promise<void> {
  const names = pid === undefined ? [] : await readdir(folder).catch(() => []);
  const left = names.filter((name) => name.startsWith(`${pid}.`));
  await Promise.all(left.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
