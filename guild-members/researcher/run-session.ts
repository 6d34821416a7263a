import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { HookCallback, McpSdkServerConfigWithInstance, SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { agentOptions } from "./agent-options.ts";
import { converse, isRetry } from "./converse.ts";
import type { Ending } from "./ending.ts";
import type { OpenJob } from "./job.ts";
import { resumePrompt } from "./prompt.ts";
import { createToolGuard } from "./tool-guard.ts";
import { eventsOf } from "./transcript.ts";
import { createUsageMeter } from "./usage.ts";

export type SessionParts = {
  job: OpenJob;
  signal: AbortSignal;
  env: Record<string, string>;
  systemPrompt: string;
  hasWebSearch: boolean;
  memoryFolder: string;
  /** New ones for each session. */
  createTools: () => McpSdkServerConfigWithInstance;
  stallMs: number;
};

/** One session of the SDK for one job, from the start or from where it was, with all that happens in it written down. */
export async function runSession(parts: SessionParts, resumes: boolean): Promise<Ending> {
  const { job, signal, memoryFolder, createTools, stallMs } = parts;
  const folderOf = (name: string): string => join(job.sdkFolder, name);
  await Promise.all(["home", "config", "tmp"].map((name) => mkdir(folderOf(name), { recursive: true, mode: 0o700 })));
  // A write that fails ends the job: what it does must not go unrecorded.
  const broken = new AbortController();
  const writes = createWrites((error) => broken.abort(error));
  const stop = AbortSignal.any([signal, broken.signal]);
  const reach = { start: job.folder, open: [job.folder, memoryFolder], closed: [job.sdkFolder] };
  const guard: HookCallback = createToolGuard({ reach, env: parts.env }, stop);
  const meter = createUsageMeter(job.usedBefore, (usage) => writes.add(() => job.setUsage(usage)));
  const start = createStartWatch(job.onStarted);
  try {
    return await converse({
      prompt: resumes ? resumePrompt : job.task,
      options: agentOptions({ ...parts, guard, tools: createTools(), resumes }),
      signal: stop,
      stallMs,
      onSpawn: async (pid) => {
        await job.setAgentProcess(pid).catch((error: unknown) => {
          writes.add(() => Promise.reject(error));
          throw error;
        });
      },
      onMessage: (message) => {
        start.hear(message);
        meter(message);
        for (const event of eventsOf(message)) writes.add(() => job.addEvent(event));
      },
    });
  } finally {
    start.end();
    // Only the session itself is needed again.
    await Promise.all(["home", "tmp"].map((name) => rm(folderOf(name), { recursive: true, force: true, maxRetries: 5 })));
    await writes.done();
  }
}

/** Writes one after the other, in the order they were asked for. */
function createWrites(onFailure: (error: unknown) => void): { add(write: () => Promise<void>): void; done(): Promise<void> } {
  let last: Promise<void> = Promise.resolve();
  let failure: { error: unknown } | null = null;
  return {
    add(write) {
      last = last.then(write).catch((error: unknown) => {
        failure ??= { error };
        onFailure(error);
      });
    },
    async done() {
      await last;
      if (failure !== null) throw failure.error;
    },
  };
}

/** A process computes on after it says that it began; it has done so when the model answers, and at the latest after this. */
const settlingMs = 500;

function createStartWatch(onStarted: () => void): { hear(message: SDKMessage): void; end(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isTold = false;
  const tell = (): void => {
    clearTimeout(timer);
    if (!isTold) onStarted();
    isTold = true;
  };
  return {
    hear(message) {
      if (message.type !== "system" || isRetry(message)) tell();
      else if (message.subtype === "init") timer ??= setTimeout(tell, settlingMs);
    },
    end: () => clearTimeout(timer),
  };
}
