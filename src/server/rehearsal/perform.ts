import { setTimeout as after } from "node:timers/promises";
import type { WorkerHandle } from "../../core/worker/worker-handle.ts";
import type { DispatchJob, JobEvent, JobId, WorkerResult, WorkerStatus } from "../../schema/job.ts";

export type Performing = {
  worker: WorkerHandle;
  job: DispatchJob;
  limitMs: number;
  /** Aborted when a person has seen enough. */
  signal: AbortSignal;
  onEvent(event: JobEvent): void;
  /** For a worker that does not tell what happens in its jobs. */
  onSummary(summary: string): void;
};

export type Performed = {
  jobId: JobId;
  status: WorkerStatus;
  result: WorkerResult | null;
  /** Empty where the worker does not tell. */
  events: readonly JobEvent[];
  isLate: boolean;
  durationMs: number;
};

/** Often enough to look live; the job and whoever asks are on one machine. */
const pollMs = 100;

/** Gives a worker one job and waits until it is over. One that takes too long is cancelled. */
export async function performJob({ worker, job, limitMs, signal, ...listeners }: Performing): Promise<Performed> {
  const began = performance.now();
  const { jobId } = await worker.dispatch(job, signal);
  const hears = createListener(worker, jobId, signal, listeners);
  let status = await hears();
  let isLate = false;
  while (status.status === "running" && !isLate) {
    await after(pollMs, undefined, { signal });
    isLate = performance.now() - began > limitMs;
    if (isLate) await worker.cancel(jobId, signal);
    status = await hears();
  }
  const durationMs = Math.round(performance.now() - began);
  const result = status.status === "completed" ? await worker.result(jobId, signal) : null;
  return { jobId, status, result, events: hears.events, isLate, durationMs };
}

type Listeners = Pick<Performing, "onEvent" | "onSummary">;

function createListener(worker: WorkerHandle, jobId: JobId, signal: AbortSignal, { onEvent, onSummary }: Listeners) {
  const events: JobEvent[] = [];
  let summary: string | null = null;

  async function hearEvents(): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const page = await worker.events(jobId, events.at(-1)?.id ?? 0, signal);
      for (const event of page.events) onEvent(event);
      events.push(...page.events);
      // A page without anything new would be asked for again and again.
      hasMore = page.hasMore && page.events.length > 0;
    }
  }

  async function hear(): Promise<WorkerStatus> {
    // Before the events: what is told of a job that is over is then complete.
    const status = await worker.status(jobId, signal);
    if (worker.offers().events) await hearEvents();
    else if (status.summary !== null && status.summary !== summary) onSummary(status.summary);
    ({ summary } = status);
    return status;
  }
  return Object.assign(hear, { events });
}
