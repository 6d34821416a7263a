import { createCompaction } from "./compact-memory.ts";
import { createCondense } from "./condense.ts";
import type { Ending } from "./ending.ts";
import { childEnvironment, configFolderOf, scrub } from "./environment.ts";
import type { Variables } from "./environment.ts";
import { jobWithoutSecrets } from "./job-without-secrets.ts";
import type { OpenJob, RunJob } from "./job.ts";
import { createMemory } from "./memory.ts";
import type { Memory } from "./memory.ts";
import { systemPrompt } from "./prompt.ts";
import { recall } from "./recall.ts";
import { runSession } from "./run-session.ts";
import type { SessionParts } from "./run-session.ts";
import { findSession, forgetSession } from "./session-file.ts";
import type { MemoryLimits } from "./settings.ts";
import { missingSearch } from "./web-search.ts";
import { createWorkerTools } from "./worker-tools.ts";

export type RunJobDeps = {
  memoryFolder: string;
  jobsFolder: string;
  memoryLimits: MemoryLimits;
  /** Of this member: credentials and address of the model are in it. */
  env: Variables;
  /** Aborted when the member stops. Jobs have signals of their own; this one ends what runs beside them. */
  closing: AbortSignal;
  /** For what happens beside the jobs. */
  report: (words: string) => void;
  /** How long the model may say nothing. */
  stallMs?: number;
};

export type Agent = {
  runJob: RunJob;
  /** Settles when nothing runs beside the jobs. */
  settled(): Promise<void>;
};

/** The agent of this worker: one job is one session of the Agent SDK. */
export function createAgent(deps: RunJobDeps): Agent {
  const { memoryFolder, jobsFolder, memoryLimits: limits, env: own, closing, report, stallMs = 120_000 } = deps;
  const files = createMemory(memoryFolder);
  const memory: Memory = { ...files, store: (key, content) => files.store(scrub(key, own), scrub(content, own)) };
  const compaction = createCompaction({ memory, limits, condense: createCondense({ own, jobsFolder, stallMs, closing }) });

  /** In the timeline of the job whose note was one too many, and in the log, in case that job is over by then. */
  const condenseFor = (job: OpenJob): void =>
    compaction.consider((words) => {
      report(words);
      job.addEvent({ type: "status", status: "running", text: words }).catch((error: unknown) => report(`Job ${job.id}: ${String(error)}`));
    });

  const runJob: RunJob = async (given, signal) => {
    const job = jobWithoutSecrets(given, own);
    if (job.hasResult()) return;
    const { task, settings, usedBefore } = job;
    if (usedBefore.costUsd >= settings.maxBudgetUsd) throw new Error("The job has cost as much as it may (maxBudgetUsd in its config).");
    const hasWebSearch = missingSearch(own) === null;
    await job.writeSummary(
      job.attempt === 1 ? "The agent has started." : `The agent goes on after an interruption (attempt ${job.attempt}).`,
    );
    const env = childEnvironment(own, job.sdkFolder);
    const notes = recall(await memory.notes(), settings.memoryCharacters);
    const parts: SessionParts = {
      job,
      signal,
      env,
      systemPrompt: systemPrompt({ task, memory: notes, memoryFolder, hasWebSearch }),
      hasWebSearch,
      memoryFolder,
      createTools: () => createWorkerTools({ job, memory, onStored: () => condenseFor(job) }),
      stallMs,
    };
    const former = await findSession(configFolderOf(env), job.id);
    let ending = await runSession(parts, former !== null);
    if (former !== null && ending.kind === "failed" && ending.sessionIsLost === true) {
      await forgetSession(former);
      ending = await runSession(parts, false);
    }
    await settle(job, ending, own);
  };

  return { runJob, settled: () => compaction.settled() };
}

/** A result that was handed in counts, whatever happened after it. */
async function settle(job: OpenJob, ending: Ending, own: Variables): Promise<void> {
  if (job.hasResult()) return;
  if (ending.kind === "stopped") throw new Error("The job was stopped.");
  if (ending.kind === "failed") throw new Error(scrub(ending.reason, own));
  if (ending.text.trim() === "") throw new Error("The agent ended without a report. Dispatch the job again, or with a clearer task.");
  await job.submitResult(ending.text);
}
