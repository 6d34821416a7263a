import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { TranscriptOwners } from "../../adapters/agent/stale-transcripts.ts";
import { absoluteFolders } from "../../adapters/files/absolute-folders.ts";
import { mimeTypeOf } from "../../adapters/files/mime-type.ts";
import { openApprovalFiles } from "../../adapters/files/runs/approval-files.ts";
import { createEffectFiles } from "../../adapters/files/runs/effect-files.ts";
import { openRunFiles } from "../../adapters/files/runs/run-files.ts";
import { createWorkerFiles } from "../../adapters/files/runs/worker-files.ts";
import type { AgentRunner } from "../../core/agent/agent-run.ts";
import { createApprovals } from "../../core/approval/approvals.ts";
import { equipRun } from "../../core/delegation/equip-run.ts";
import type { EquipDeps } from "../../core/delegation/equip-run.ts";
import { createRunStarter } from "../../core/delegation/new-run.ts";
import { settleCalls } from "../../core/delegation/settle-calls.ts";
import { checkWrite, writeFileTool } from "../../core/delegation/write-file.ts";
import type { Jobs } from "../../core/jobs/jobs.ts";
import { createRuns } from "../../core/run/runs.ts";
import type { Sessions } from "../../core/session/sessions.ts";
import { JobRunId, newSdkSessionId } from "../../schema/ids.ts";
import type { JobRun } from "../../schema/run.ts";
import { routesOf } from "../api/routes.ts";
import type { RunLimits } from "./build-run-limits.ts";
import { memoryBytes, processesIn } from "./memory.ts";
import type { Parts } from "./parts.ts";
import { schedule } from "./schedule.ts";

type RunsDeps = { runner: AgentRunner; limits: RunLimits; isEstimate: () => boolean; sessions: Sessions; jobs: Jobs };

/** Runs of the hall's own workers, with the approvals that they wait for. */
export async function buildRuns(
  { config, layout, log, closers, streams }: Parts,
  { runner, limits, isEstimate, sessions, jobs }: RunsDeps,
) {
  const onProblem = (err: unknown) => log.warn({ err }, "runs");
  const now = () => new Date().toISOString();
  const store = await openRunFiles({ layout, onProblem });
  const effects = createEffectFiles(layout);
  const definitions = createWorkerFiles(layout);
  const foldersOf = ({ id, profile }: JobRun) => absoluteFolders(layout.job(id).folder, profile.folders);
  const approvals = createApprovals({
    store: await openApprovalFiles({ layout, onProblem }),
    checkEdited({ run, tool }, edited) {
      if (tool === writeFileTool) checkWrite(runs.get(run), edited);
    },
    onDecided: (run) => runs.wake(run),
    isOpen: (run) => runs.isOpen(run),
    now,
  });
  const newPromptId = () => randomUUID();
  const settle = { approvals, effects, store, rootOf: (path: string) => join(layout.home, path) };
  const runs = createRuns({
    store,
    runner,
    slots: limits.slots,
    ledger: limits.ledger,
    costs: limits.running,
    isEstimate,
    resetClock: limits.resetClock,
    resumesAtReset: limits.resumesAtReset,
    foldersOf,
    equip: (run, wait) => equipRun(run, wait, tools),
    settleCalls: (run, transcript, isAnswered) => settleCalls(run, transcript, isAnswered, settle),
    async onToolResult({ id }, { id: callId, isError }) {
      const effect = (await effects.of(id)).find((each) => each.callId === callId && each.state === "started");
      if (effect !== undefined) await effects.note(id, { ...effect, state: "done", result: isError ? "It failed." : "It has run." });
    },
    onEnded: ({ id }) => approvals.voidOf(id),
    processes: config.runs.processes ?? processesIn(memoryBytes()),
    parkAfterMs: config.runs.parkAfterMinutes * 60_000,
    schedule,
    now,
    newPromptId,
    newConversation: newSdkSessionId,
    onProblem,
  });
  const starter = createRunStarter({ runs, store, definitions, model: config.model, now, newPromptId });
  const tools: EquipDeps = {
    ...settle,
    foldersOf,
    now,
    chainOf: (run) => starter.chainOf(run),
    startChild: starter.startChild,
    ended: runs.ended,
    isOpen: runs.isOpen,
  };
  closers.push(runs.close);
  await runs.start();
  await approvals.settle().catch(onProblem);
  const transcripts: TranscriptOwners = {
    root: layout.jobs,
    work: "work",
    isOurs: (name) => /^job-[0-9a-z]{26}$/.test(name),
    currentOf: async (name) => store.get(JobRunId.parse(name))?.conversation ?? null,
  };
  const routes = routesOf.runs({
    runs,
    sessions,
    approvals,
    control: limits.control,
    stopMemberJobs: jobs.cancelAll,
    jobs,
    streams,
    mimeTypeOf,
    startRun: starter.start,
    isHallWorker: definitions.has,
  });
  return { runs, routes, transcripts };
}
