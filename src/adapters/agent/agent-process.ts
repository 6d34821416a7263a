import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { query, startup } from "@anthropic-ai/claude-agent-sdk";
import type { Query, SDKMessage, WarmQuery } from "@anthropic-ai/claude-agent-sdk";
import { childEnvironment, configFolderOf } from "./child-environment.ts";
import type { EnvironmentParts } from "./child-environment.ts";
import { createChildProcess } from "./child-process.ts";
import type { ChildProcessHandle, ChildWatch } from "./child-process.ts";
import type { ProcessShape } from "./process-shape.ts";
import { queryOptions } from "./query-options.ts";
import type { ServedRun, Serving } from "./served-run.ts";
import { stopChild } from "./stop-child.ts";
import { hasTranscript } from "./transcript.ts";

export type AgentProcess = {
  child: ChildProcessHandle;
  /** Starts the process and lets it wait, without a model call. */
  warmUp(): Promise<void>;
  /** Sends the prompt; once per process. */
  serve(run: ServedRun, prompt: string): AsyncIterable<SDKMessage>;
  stop(): Promise<void>;
  /** Clears away what a process leaves behind, after it has gone. */
  settle(): Promise<void>;
};

export type ProcessDeps = EnvironmentParts & { watch: ChildWatch };

export type StartProcess = (shape: ProcessShape) => Promise<AgentProcess>;

/** Prepares a process for runs of one shape: with a temporary folder of its own, which goes when it goes. */
export async function prepareProcess(deps: ProcessDeps, shape: ProcessShape): Promise<AgentProcess> {
  const { home, config, temporary } = deps.folders;
  await Promise.all([home, config, temporary].map((folder) => mkdir(folder, { recursive: true, mode: 0o700 })));
  const ownTemporary = await mkdtemp(join(temporary, "run-"));
  const env = childEnvironment({ ...deps, folders: { ...deps.folders, temporary: ownTemporary } });
  const resumes =
    shape.conversation !== null && (shape.conversation.resume || (await hasTranscript(configFolderOf(env), shape.conversation.id)));

  const child = createChildProcess(deps.watch);
  const serving: Serving = { run: null };
  const options = queryOptions({ shape, serving, env, resumes, spawn: (spawnOptions) => child.spawn(spawnOptions) });
  let warm: WarmQuery | null = null;
  let served: Query | null = null;
  let converses = false;

  return {
    child,
    async warmUp() {
      warm = await startup({ options });
    },
    async *serve(run, prompt) {
      serving.run = run;
      served = warm === null ? query({ prompt, options }) : warm.query(prompt);
      converses = warm !== null;
      for await (const message of served) {
        converses = true;
        yield message;
      }
    },
    async stop() {
      if (child.exit() !== null) return;
      const conversation = served;
      await stopChild({
        child,
        // One that is still starting would answer an interruption only after its first model call was on its way.
        interrupt: conversation === null || !converses ? null : () => conversation.interrupt(),
        close: () => (conversation === null ? warm?.close() : conversation.close()),
      });
    },
    async settle() {
      await child.gone();
      const pid = child.pid();
      const left = pid === undefined ? [] : [".json", ".key"].map((end) => join(configFolderOf(env), "sessions", `${pid}${end}`));
      await Promise.all([ownTemporary, ...left].map((path) => rm(path, { recursive: true, force: true })));
    },
  };
}
