import type { z } from "zod";
import type {
  CancelledJob,
  DeletedJob,
  DispatchJob,
  Dispatched,
  JobArtifact,
  JobEvents,
  JobId,
  WorkerJob,
  WorkerResult,
  WorkerStatus,
} from "../../schema/job.ts";

/**
 * The port to a guild member that takes jobs. Every method rejects with `member_unavailable` where it is not connected,
 * `tool_timeout` where it does not answer within 30 seconds, `stopped` where the signal says so, and `member_failed` where
 * something else than an answer comes back. What the worker itself refuses is `not_found` (no such job, or file),
 * `conflict` (not in the job's present state) or `bad_request`.
 */
export interface WorkerHandle {
  /** Never sent twice: whoever is not answered cannot know whether it began. */
  dispatch(job: DispatchJob, signal?: AbortSignal): Promise<z.infer<typeof Dispatched>>;
  /** All jobs, in detail. `leftOut` says of how many the worker told nothing that makes sense. */
  list(signal?: AbortSignal): Promise<{ jobs: WorkerJob[]; leftOut: number }>;
  /** The jobs whose description matches the glob, as the worker understands globs. */
  find(filter: string, signal?: AbortSignal): Promise<Set<string>>;
  status(jobId: JobId, signal?: AbortSignal): Promise<WorkerStatus>;
  result(jobId: JobId, signal?: AbortSignal): Promise<WorkerResult>;
  cancel(jobId: JobId, signal?: AbortSignal): Promise<z.infer<typeof CancelledJob>>;
  delete(jobId: JobId, signal?: AbortSignal): Promise<z.infer<typeof DeletedJob>>;
  /** What happened later than the event `after`. Only where `offers` says so; otherwise a `conflict`. */
  events(jobId: JobId, after: number, signal?: AbortSignal): Promise<JobEvents>;
  artifact(jobId: JobId, path: string, signal?: AbortSignal): Promise<JobArtifact>;
  /** What it can do beyond the six methods. */
  offers(): WorkerOffers;
}

export type WorkerOffers = { events: boolean; artifacts: boolean };

/** Asks a worker one thing over the connection that it has with the hall, and answers what it said, unread. */
export type AskWorker = (method: string, params: Readonly<Record<string, unknown>>, signal?: AbortSignal) => Promise<unknown>;
