import { setTimeout as pause } from "node:timers/promises";
import { handlerOutcome } from "../../../core/job/handler-outcome.ts";
import type { JobHandler, WorkLimits } from "../../../core/job/job-engine.ts";
import { nextJob } from "../../../core/job/next-job.ts";
import { HallError } from "../../../schema/hall-error.ts";
import type { ProcessIdentity } from "../process-identity.ts";
import type { LeaseDocument } from "./job-documents.ts";
import type { JobFiles } from "./job-files.ts";
import { endOf, recordOf } from "./open-job.ts";
import type { OpenJob } from "./open-job.ts";

export type KindWorker = ReturnType<typeof createKindWorker>;

export type WorkerDeps = {
  files: JobFiles;
  runner: ProcessIdentity;
  now: () => string;
  onProblem: (error: unknown) => void;
  /** How long to wait before what the disk refused is tried again. */
  retryMs: number;
  onEnded: (open: OpenJob) => void;
  /** Another runner has taken the job. */
  onLost: (open: OpenJob) => void;
};

type Run = { attempt: number; isHandled: boolean; controller: AbortController; cancelWritten: Promise<unknown>; done: Promise<void> };

/** Runs the jobs of one kind, as many at once as it may, one per lane. */
export function createKindWorker(deps: WorkerDeps, limits: WorkLimits, handler: JobHandler) {
  const { files, now, onProblem } = deps;
  const waiting: OpenJob[] = [];
  const running = new Map<OpenJob, Run>();
  const busyLanes = new Set<string>();
  const ending = new AbortController();
  let hasBegun = false;
  let stopped: Promise<{ interrupted: number }> | undefined;

  /** Choosing and taking happen without a pause in between, so no two calls can take the same place, lane or job. */
  function pump(): void {
    while (hasBegun && !ending.signal.aborted) {
      const next = nextJob(waiting, busyLanes, limits.concurrency - running.size);
      if (next === null) return;
      waiting.splice(waiting.indexOf(next), 1);
      start(next);
    }
  }

  function start(open: OpenJob): void {
    open.phase = "running";
    busyLanes.add(open.job.lane);
    const run: Run = {
      attempt: open.attempt + 1,
      isHandled: false,
      controller: new AbortController(),
      cancelWritten: Promise.resolve(),
      done: Promise.resolve(),
    };
    running.set(open, run);
    run.done = carryOut(open, run)
      .catch(onProblem)
      .finally(() => {
        running.delete(open);
        busyLanes.delete(open.job.lane);
        pump();
      });
  }

  async function carryOut(open: OpenJob, run: Run): Promise<void> {
    const lease: LeaseDocument = { attempt: run.attempt, runner: deps.runner, startedAt: now(), released: false };
    // Nothing was done yet, so whatever keeps it from beginning, it has its turn when that is over.
    const isTaken = await insist(() => files.createLease(open.job.id, lease), isAnything);
    if (!isTaken) return lose(open, run);
    if (ending.signal.aborted) return files.withdrawLease(open.job.id, lease.attempt);
    Object.assign(open, { attempt: lease.attempt, lease });
    const thrown = await callHandler(open, run);
    await run.cancelWritten;
    if (!(await files.isHeld(open.job.id, lease.attempt))) return lose(open, run);
    const { cancelRequested, attempt } = open;
    const outcome = handlerOutcome({ thrown, cancelRequested, stopping: ending.signal.aborted, attempt, attempts: limits.attempts });
    if (outcome.next !== "end") return files.releaseLease(open.job.id, lease);
    open.phase = "ending";
    open.ended = run.done;
    // It is done: a folder that cannot be written holds up nothing else, and the next start finds the lease and settles it.
    await insist(() => files.end(endOf(open, outcome, now())), isFull);
    deps.onEnded(open);
  }

  async function callHandler(open: OpenJob, run: Run): Promise<{ error: unknown } | undefined> {
    const { attempt } = run;
    const heartbeat = async () => {
      if (await files.isHeld(open.job.id, attempt)) return;
      run.controller.abort(lostLease(open));
      throw lostLease(open);
    };
    run.isHandled = true;
    try {
      await handler({ job: recordOf(open, true), attempt, signal: run.controller.signal, heartbeat });
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  /** What was promised must come to the disk: what may pass is told once and tried again, and nothing overtakes it. */
  async function insist<T>(work: () => Promise<T>, mayPass: (error: unknown) => boolean): Promise<T> {
    for (let isTold = false; ; isTold = true) {
      try {
        return await work();
      } catch (error) {
        if (ending.signal.aborted || !mayPass(error)) throw error;
        if (!isTold) onProblem(error);
        // Ends early when the worker ends; then there is one last try.
        await pause(deps.retryMs, undefined, { signal: ending.signal }).catch(() => undefined);
      }
    }
  }

  function lose(open: OpenJob, run: Run): void {
    run.controller.abort(lostLease(open));
    onProblem(lostLease(open));
    deps.onLost(open);
  }

  return {
    attempts: limits.attempts,

    /** Takes jobs from now on: before, those of an earlier life are put into their places. */
    begin(): void {
      hasBegun = true;
      pump();
    },

    enqueue(open: OpenJob): void {
      open.phase = "waiting";
      const place = waiting.findLastIndex((other) => other.job.order <= open.job.order) + 1;
      waiting.splice(place, 0, open);
      pump();
    },

    /** So that nobody takes it any more. */
    dequeue(open: OpenJob): void {
      const place = waiting.indexOf(open);
      if (place !== -1) waiting.splice(place, 1);
    },

    /** Tells the handler at once, and makes the wish durable: a crash must not bring the job back. */
    async cancelRunning(open: OpenJob): Promise<void> {
      const run = running.get(open);
      if (run === undefined) return;
      open.cancelRequested = true;
      run.controller.abort(new HallError("stopped", `Job ${open.job.id} was cancelled.`));
      const written = files.requestCancel(open.job.id, now());
      run.cancelWritten = written.catch(() => undefined);
      await written;
    },

    /** Somebody else took it: whatever this runner still does no longer counts. */
    abandon(open: OpenJob, attemptElsewhere: number): void {
      const run = running.get(open);
      if (run !== undefined && attemptElsewhere > run.attempt) run.controller.abort(lostLease(open));
    },

    stop(): Promise<{ interrupted: number }> {
      return (stopped ??= (async () => {
        ending.abort();
        const runs = [...running.values()];
        for (const run of runs) run.controller.abort(new HallError("interrupted", "The hall is stopping."));
        await Promise.all(runs.map(({ done }) => done));
        return { interrupted: runs.filter(({ isHandled }) => isHandled).length };
      })());
    },
  };
}

const isAnything = (): boolean => true;

const isFull = (error: unknown): boolean => error instanceof HallError && error.code === "disk_full";

const lostLease = ({ job, attempt }: OpenJob): HallError =>
  new HallError("conflict", `Attempt ${attempt} of job ${job.id} no longer counts: another runner has taken the job.`);
