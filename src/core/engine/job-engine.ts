/**
 * The port to "work that is accepted once and has one runner". A job is a durable record before its acceptance is
 * reported, and a lease with a rising attempt number (the fencing number) before anything runs. Files implement it on one
 * machine; a database can on many, and both must pass `job-engine-conformance.testing.ts`.
 */
export interface JobEngine {
  /** Reads what an earlier life left. Nothing else is called before it resolves. */
  start(): Promise<void>;
  /** Stops taking jobs, aborts the running ones and waits for their handlers. Returns how many it told to give up. Idempotent. */
  close(): Promise<{ interrupted: number }>;
  /** Durable when it resolves. The same id again changes nothing and returns the stored record. */
  submit(job: NewJob): Promise<EngineJob>;
  /** A waiting job ends as cancelled, after its settler; a running one has its signal aborted and ends when its handler returns. Idempotent. */
  cancel(id: string): Promise<EngineJob | null>;
  get(id: string): Promise<EngineJob | null>;
  /** The jobs of one kind that have not ended, in the order of submission. */
  listOpen(kind: string): Promise<EngineJob[]>;
  /** How many jobs of a group may run at once. Groups that are not named have no cap. */
  setLimits(limits: { perGroup: Readonly<Record<string, number>> }): Promise<void>;
  /**
   * Takes jobs of one kind from now on. Jobs that a dead process held and that have no attempt left are settled when it
   * resolves. At most one consumer per kind.
   */
  consume(kind: string, options: ConsumeOptions, handle: JobHandler, settle: JobSettler): Promise<Consumer>;
  /** Forgets an ended job. Refuses to forget one that has not ended. */
  remove(id: string): Promise<void>;
}

export type NewJob = {
  id: string;
  kind: string;
  /** Jobs of one kind and lane run one after the other, in order. Null: beside all others. */
  lane: string | null;
  /** Each may have a cap; see `setLimits`. */
  groups?: readonly string[];
  /** Higher goes first among the jobs that may run now; 0 if left out. Inside a lane the order of submission stays. */
  priority?: number;
  /** ISO time before which the job is not taken. It holds back the jobs behind it in its lane. */
  notBefore?: string;
  /** A consumer must have them all. */
  labels?: readonly string[];
  /** JSON. Kept until the job ends, null from then on. */
  payload: unknown;
};

export type ConsumeOptions = {
  /** How many handlers run at once; null leaves that to `admit`. */
  capacity: number | null;
  /** How many times a job may be taken. If its process dies on the last attempt it ends as failed with `interrupted`. */
  attempts: number;
  labels?: readonly string[];
  /**
   * Waits until there is room for a job that could be taken now, and rejects when the signal aborts (cancelled, closing).
   * The job still counts as waiting, so a crash does not use up an attempt. The engine calls the returned function when the
   * handler has returned, or if the job is not taken after all.
   */
  admit?: (job: EngineJob, signal: AbortSignal) => Promise<() => void>;
};

/**
 * Returning says that the work is done; throwing says that it is not: the job fails with the error's code. A handler that
 * gives up because its signal was aborted throws. Once a job was taken its handler is called, even if it was cancelled since.
 */
export type JobHandler = (lease: Lease) => Promise<void>;

/**
 * Called once for every job that ended without its handler: cancelled before it was taken, or left by a dead process with
 * no attempt left. `job` says how it ended and still has its payload. While it rejects, the job stays open and it is called again.
 */
export type JobSettler = (job: EngineJob) => Promise<void>;

export type Lease = {
  job: EngineJob;
  attempt: number;
  /** Aborted by `cancel`, by closing, and when the lease was lost. The engine beats by itself. */
  signal: AbortSignal;
};

export type Consumer = {
  /** Takes no more jobs, aborts the running ones and waits for their handlers. Idempotent. */
  stop(): Promise<{ interrupted: number }>;
};

export type JobState = "waiting" | "running" | EndState;
export type EndState = "completed" | "failed" | "cancelled";

export type JobFailure = { code: string; message: string };

export type EngineJob = Required<Omit<NewJob, "notBefore" | "payload">> & {
  notBefore: string | null;
  payload: unknown;
  state: JobState;
  /** The fencing number: how many times a runner took the job. A write that carries an older one is refused. */
  attempt: number;
  submittedAt: string;
  startedAt: string | null;
  endedAt: string | null;
  failure: JobFailure | null;
};
