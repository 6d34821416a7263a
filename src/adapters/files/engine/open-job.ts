import type { EngineJob } from "../../../core/engine/job-engine.ts";
import type { Settlement } from "../../../core/engine/settle-job.ts";
import type { JobPhase } from "../../../core/engine/takeable-jobs.ts";
import type { EndDocument, JobDocument } from "./job-documents.ts";

/** A job that has not ended, as the memory has it. */
export type OpenJob = {
  job: JobDocument;
  /** How many times it was taken, and when last. */
  attempt: number;
  startedAt: string | null;
  cancelRequested: boolean;
  phase: JobPhase;
  /** Its settler was called with this end and has resolved. */
  settled: EndDocument | null;
  /** While it is ending or settling: resolves when that was tried. */
  tried: Promise<unknown>;
};

export type Ending = Omit<Extract<Settlement, { next: "end" }>, "next">;

export const openJob = (found: Pick<OpenJob, "job" | "attempt" | "startedAt" | "cancelRequested">): OpenJob => ({
  ...found,
  phase: "waiting",
  settled: null,
  tried: Promise.resolve(),
});

export function recordOf({ job: { order: _order, ...job }, attempt, startedAt, phase }: OpenJob): EngineJob {
  const state = phase === "running" || phase === "ending" || phase === "unwritten" ? "running" : "waiting";
  return { ...job, state, attempt, startedAt, endedAt: null, failure: null };
}

export const recordOfEnd = (end: EndDocument): EngineJob => ({ ...end, payload: null });

export function endOf({ job, attempt, startedAt }: OpenJob, { state, failure }: Ending, endedAt: string): EndDocument {
  const { payload: _payload, order: _order, ...about } = job;
  return { ...about, state, attempt, startedAt, endedAt, failure };
}
