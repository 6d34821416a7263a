import type { EngineJob } from "../../../core/job/job-engine.ts";
import type { EndDocument, JobDocument, LeaseDocument } from "./job-documents.ts";

/** A job that has not ended, as the process that owns the folder has it in memory. */
export type OpenJob = Taken & {
  cancelRequested: boolean;
  /**
   * `found`: read from the files, and nobody works its kind yet. `elsewhere`: a process that lives holds it although this
   * one owns the folder. `ending`: its end is being written.
   */
  phase: "found" | "waiting" | "running" | "elsewhere" | "ending";
  /** While it is ending: settles when that is over, well or not. */
  ended?: Promise<unknown>;
};

type Taken = { job: JobDocument; attempt: number; lease: LeaseDocument | null };

export const recordOf = ({ job, attempt, lease }: Taken, isRunning: boolean): EngineJob => ({
  id: job.id,
  kind: job.kind,
  lane: job.lane,
  payload: job.payload,
  state: isRunning ? "running" : "waiting",
  attempt,
  submittedAt: job.submittedAt,
  startedAt: lease?.startedAt ?? null,
  endedAt: null,
  failure: null,
});

export const recordOfEnd = (end: EndDocument): EngineJob => ({ ...end, payload: null });

export function endOf({ job, attempt, lease }: Taken, end: Pick<EndDocument, "state" | "failure">, endedAt: string): EndDocument {
  const { id, kind, lane, submittedAt } = job;
  return { id, kind, lane, state: end.state, attempt, submittedAt, startedAt: lease?.startedAt ?? null, endedAt, failure: end.failure };
}
