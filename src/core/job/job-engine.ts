/**
 * The port to "work that is accepted once and has one runner". A job is a durable record before anybody is told that it
 * was accepted, and a lease with a rising attempt number (the fencing number) before anything runs. Files implement it on
 * one machine; a database could on many, and both must pass `job-engine-conformance.testing.ts`.
 */
export interface JobEngine {
  /** Durable when it resolves. The same id again changes nothing and answers the stored record. */
  submit(job: NewJob): Promise<EngineJob>;
  /** A waiting job ends as cancelled; a running one has its signal aborted and ends when its handler returns. Idempotent. */
  cancel(id: string): Promise<EngineJob | null>;
  get(id: string): Promise<EngineJob | null>;
  /** The jobs of one kind that have not ended, for whoever has to put things right before work begins again. */
  listOpen(kind: string): Promise<EngineJob[]>;
  /**
   * Starts taking jobs of one kind; what a crash left of that kind is settled when it resolves. At most one worker per
   * kind in a process. While another process works here, this one stands by and takes over when that one ends.
   */
  work(kind: string, limits: WorkLimits, handler: JobHandler): Promise<JobWorker>;
  /** Forgets an ended job. Refuses to forget one that has not ended. */
  remove(id: string): Promise<void>;
}

export type NewJob = {
  id: string;
  kind: string;
  /** Jobs of one kind and lane run one after the other, in the order they were submitted. */
  lane: string;
  /** JSON. Kept until the job ends, null from then on. */
  payload: unknown;
};

export type JobState = "waiting" | "running" | EndState;
export type EndState = "completed" | "failed" | "cancelled";

export type JobFailure = { code: string; message: string };

export type EngineJob = NewJob & {
  state: JobState;
  /** The fencing number: how many times a runner took the job. A write that carries an older one is refused. */
  attempt: number;
  submittedAt: string;
  startedAt: string | null;
  endedAt: string | null;
  failure: JobFailure | null;
};

export type WorkLimits = {
  concurrency: number;
  /** How many times a job may be taken; one whose runner died on the last attempt ends as failed with `interrupted`. */
  attempts: number;
};

/**
 * Returning says that the work is done, throwing that it is not: the job fails with the error's code. A handler that gives
 * up because its signal was aborted throws. Once a job was taken its handler is called, even if it was cancelled meanwhile.
 */
export type JobHandler = (lease: Lease) => Promise<void>;

export type Lease = {
  job: EngineJob;
  attempt: number;
  /** Aborted by `cancel`, by the end of the worker, and when another runner took the job. */
  signal: AbortSignal;
  /** Says the runner lives; rejects when the lease was lost, and then the handler must write nothing more. */
  heartbeat(): Promise<void>;
};

export type JobWorker = {
  /**
   * Takes no more jobs, aborts the running ones and waits for their handlers. One whose handler gave up waits for its next
   * attempt or, if it has none left, ends as failed with `interrupted`. Answers how many handlers it told to give up.
   * Idempotent.
   */
  stop(): Promise<{ interrupted: number }>;
};
