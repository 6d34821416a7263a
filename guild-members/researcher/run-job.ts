import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { agentOptions, findSession, forgetSession } from "./agent-options.ts";
import { createCompaction } from "./compact-memory.ts";
import { createCondense } from "./condense.ts";
import { converse, isRetry } from "./converse.ts";
import type { Ending } from "./ending.ts";
import { childEnvironment, configFolderOf, foreignEndpoint, scrub } from "./environment.ts";
import type { Variables } from "./environment.ts";
import type { OpenJob, RunJob } from "./job.ts";
import { createMemory } from "./memory.ts";
import { resumePrompt, systemPrompt } from "./prompt.ts";
import { recall } from "./recall.ts";
import { createToolGuard } from "./tool-guard.ts";
import { eventsOf } from "./transcript.ts";
import { createUsageMeter } from "./usage.ts";
import { createWorkerTools } from "./worker-tools.ts";

export type RunJobDeps = {
  memoryFolder: string;
  /** Of this member: credentials and address of the model are in it. */
  env: Variables;
  /** Aborted when the member stops. Jobs have signals of their own; this one ends what runs beside them. */
  closing: AbortSignal;
  onProblem: (reason: string) => void;
  /** How long the model may say nothing. */
  stallMs?: number;
};

/** The agent of this worker: one job is one session of the Agent SDK. */
export function createRunJob({ memoryFolder, env: own, closing, onProblem, stallMs = 120_000 }: RunJobDeps): RunJob {
  const memory = createMemory(memoryFolder);
  const compaction = createCompaction(memory, createCondense(own, stallMs, closing), onProblem);

  return async (job, signal) => {
    if (job.hasResult()) return;
    const { settings } = job;
    if (job.usedBefore.costUsd >= settings.maxBudgetUsd)
      throw new Error("The job has cost as much as it may (maxBudgetUsd in its config).");
    const endpoint = foreignEndpoint(own);
    await job.writeSummary(firstWords(job.attempt, endpoint));

    const env = childEnvironment(own, job.sdkFolder);
    await Promise.all(["home", "config", "tmp"].map((name) => mkdir(join(job.sdkFolder, name), { recursive: true, mode: 0o700 })));
    const session = await findSession(configFolderOf(env), job.id);
    const notes = recall(await memory.notes(), settings.memoryCharacters);
    const prompt = systemPrompt({ task: job.task, memory: notes, memoryFolder, hasWebSearch: endpoint === null });
    const talk = async (resumes: boolean): Promise<Ending> => {
      // A write that fails ends the job: what it does must not go unrecorded.
      const broken = new AbortController();
      const writes = createWrites((error) => broken.abort(error));
      const stop = AbortSignal.any([signal, broken.signal]);
      const guard = createToolGuard({ start: job.folder, open: [job.folder, memoryFolder], closed: [job.sdkFolder] }, stop);
      const onStored = () =>
        compaction.consider({ above: settings.condenseAbove, atMost: settings.memoryCharacters, model: settings.model });
      const tools = createWorkerTools({ job, memory, onStored });
      const meter = createUsageMeter(job.usedBefore, (usage) => writes.add(() => job.setUsage(usage)));
      const started = createStartWatch(job.onStarted);
      try {
        return await converse({
          prompt: resumes ? resumePrompt : job.task,
          options: agentOptions({ job, env, systemPrompt: prompt, hasWebSearch: endpoint === null, guard, tools, resumes }),
          signal: stop,
          stallMs,
          onSpawn: (pid) => writes.add(() => job.setAgentProcess(pid)),
          onMessage: (message) => {
            started.hear(message);
            meter(message);
            for (const event of eventsOf(message)) writes.add(() => job.addEvent(event));
          },
        });
      } finally {
        started.end();
        await writes.done();
      }
    };

    let ending = await talk(session !== null);
    if (ending.kind === "failed" && ending.sessionIsLost === true && session !== null) {
      await forgetSession(session);
      ending = await talk(false);
    }
    await settle(job, ending, own);
  };
}

/** A result that was handed in counts, whatever happened after it. */
async function settle(job: OpenJob, ending: Ending, own: Variables): Promise<void> {
  if (job.hasResult()) return;
  if (ending.kind === "stopped") throw new Error("The job was stopped.");
  if (ending.kind === "failed") throw new Error(scrub(ending.reason, own));
  if (ending.text.trim() === "") throw new Error("The agent ended without a report. Dispatch the job again, or with a clearer task.");
  await job.submitResult(ending.text);
}

function firstWords(attempt: number, endpoint: string | null): string {
  const begun = attempt === 1 ? "The agent has started." : `The agent goes on after an interruption (attempt ${attempt}).`;
  if (endpoint === null) return begun;
  return `${begun} Web search is missing: the model behind ${endpoint} answers, and only Anthropic's own servers search the web. Pages whose address is known can be fetched.`;
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
