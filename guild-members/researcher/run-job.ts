import { findSession, forgetSession } from "./agent-options.ts";
import { createCompaction } from "./compact-memory.ts";
import { createCondense } from "./condense.ts";
import type { Ending } from "./ending.ts";
import { childEnvironment, configFolderOf, foreignEndpoint, scrub } from "./environment.ts";
import type { Variables } from "./environment.ts";
import type { OpenJob, RunJob } from "./job.ts";
import { createMemory } from "./memory.ts";
import { systemPrompt } from "./prompt.ts";
import { recall } from "./recall.ts";
import { runSession } from "./run-session.ts";
import type { SessionParts } from "./run-session.ts";
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
    const { task, settings, usedBefore } = job;
    if (usedBefore.costUsd >= settings.maxBudgetUsd) throw new Error("The job has cost as much as it may (maxBudgetUsd in its config).");
    const endpoint = foreignEndpoint(own);
    const hasWebSearch = endpoint === null;
    await job.writeSummary(firstWords(job.attempt, endpoint));
    const env = childEnvironment(own, job.sdkFolder);
    const notes = recall(await memory.notes(), settings.memoryCharacters);
    const limits = { above: settings.condenseAbove, atMost: settings.memoryCharacters, model: settings.model };
    const parts: SessionParts = {
      job,
      signal,
      env,
      systemPrompt: systemPrompt({ task, memory: notes, memoryFolder, hasWebSearch }),
      hasWebSearch,
      memoryFolder,
      createTools: () => createWorkerTools({ job, memory, onStored: () => compaction.consider(limits) }),
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
