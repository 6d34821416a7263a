import { setTimeout as pause } from "node:timers/promises";
import { handlerOutcome } from "../../../core/engine/handler-outcome.ts";
import type { ConsumeOptions, JobHandler, JobSettler } from "../../../core/engine/job-engine.ts";
import { HallError } from "../../../schema/hall-error.ts";
import type { JobFiles } from "./job-files.ts";
import { endOf, recordOf } from "./open-job.ts";
import type { Ending, OpenJob } from "./open-job.ts";

export type KindConsumer = ReturnType<typeof createKindConsumer>;

export type ConsumerDeps = {
  files: JobFiles;
  now: () => string;
  onProblem: (error: unknown) => void;
  /** How long to wait before something that failed is tried again. */
  retryMs: number;
  onEnded: (open: OpenJob) => void;
  /** A job that was taken no longer is. */
  onFree: () => void;
};

type Run = { controller: AbortController; isHandled: boolean; cancelWritten: Promise<unknown>; done: Promise<void> };

/** Runs and settles the jobs of one kind. Which ones are taken and when is not decided here. */
export function createKindConsumer(deps: ConsumerDeps, options: ConsumeOptions, handle: JobHandler, settle: JobSettler) {
  const { files, now, onProblem } = deps;
  const runs = new Map<OpenJob, Run>();
  const settling = new Set<Promise<void>>();
  const ending = new AbortController();
  let stopped: Promise<{ interrupted: number }> | undefined;

  async function carryOut(open: OpenJob, run: Run): Promise<void> {
    const giveBack = await admission(open, run);
    if (giveBack === null) return;
    let thrown: { error: unknown } | undefined;
    try {
      if (!(await takeLease(open))) return;
      thrown = await callHandler(open, run);
    } finally {
      giveBack();
    }
    await run.cancelWritten;
    await endHandled(open, run, thrown);
  }

  /** Null if the job is not to be taken after all: it was cancelled, or the consumer stops. */
  async function admission(open: OpenJob, { controller: { signal } }: Run): Promise<(() => void) | null> {
    const admit = options.admit ?? (async () => () => undefined);
    const giveBack = await insist(() => admit(recordOf(open), signal), isAnything, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return null;
    });
    if (signal.aborted) {
      giveBack?.();
      return null;
    }
    open.phase = "taking";
    return giveBack;
  }

  /** No handler was called yet, so whatever keeps the lease from the disk only delays the job. */
  async function takeLease(open: OpenJob): Promise<boolean> {
    const lease = { attempt: open.attempt + 1, startedAt: now() };
    await insist(() => files.writeLease(open.job.id, lease), isAnything, ending.signal);
    if (ending.signal.aborted) {
      await files.withdrawLease(open.job.id, lease.attempt);
      return false;
    }
    Object.assign(open, lease);
    return true;
  }

  async function callHandler(open: OpenJob, run: Run): Promise<{ error: unknown } | undefined> {
    open.phase = "running";
    run.isHandled = true;
    try {
      await handle({ job: recordOf(open), attempt: open.attempt, signal: run.controller.signal });
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  async function endHandled(open: OpenJob, run: Run, thrown: { error: unknown } | undefined): Promise<void> {
    const { attempts } = options;
    const outcome = handlerOutcome({ ...open, thrown, stopping: ending.signal.aborted, attempts });
    if (outcome.next === "wait") {
      open.phase = "waiting";
      return;
    }
    open.phase = "ending";
    open.tried = run.done;
    try {
      await insist(() => files.end(endOf(open, outcome, now())), isFull, ending.signal);
      deps.onEnded(open);
    } catch (error) {
      // It is done: it holds up nothing else, and the next life finds the lease and settles it.
      open.phase = "unwritten";
      throw error;
    }
  }

  async function settleOnce(open: OpenJob, how: Ending): Promise<void> {
    if (open.settled === null) {
      const end = endOf(open, how, now());
      await settle({ ...end, payload: open.job.payload });
      open.settled = end;
    }
    await files.end(open.settled);
    deps.onEnded(open);
  }

  /** Reports the first failure and tries again until it works. If the signal aborts there is one last try. */
  async function insist<T>(work: () => Promise<T>, mayPass: (error: unknown) => boolean, signal: AbortSignal): Promise<T> {
    for (let isReported = false; ; isReported = true) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted || !mayPass(error)) throw error;
        if (!isReported) onProblem(error);
        await pause(deps.retryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  return {
    capacity: options.capacity,
    attempts: options.attempts,
    labels: new Set(options.labels),
    isStopping: (): boolean => ending.signal.aborted,

    take(open: OpenJob): void {
      open.phase = "admitting";
      const run: Run = {
        controller: new AbortController(),
        isHandled: false,
        cancelWritten: Promise.resolve(),
        done: Promise.resolve(),
      };
      runs.set(open, run);
      run.done = carryOut(open, run)
        .catch(onProblem)
        .finally(() => {
          runs.delete(open);
          if (open.phase === "admitting" || open.phase === "taking") open.phase = "waiting";
          deps.onFree();
        });
    },

    /** Resolves when a job that waits for its admission no longer does. */
    async dismiss(open: OpenJob): Promise<void> {
      const run = runs.get(open);
      run?.controller.abort(cancelled(open));
      await run?.done;
    },

    /** Tells the handler at once, and makes the wish durable: a crash must not bring the job back. */
    async cancelRunning(open: OpenJob): Promise<void> {
      const run = runs.get(open);
      if (run === undefined) return;
      open.cancelRequested = true;
      run.controller.abort(cancelled(open));
      const written = files.requestCancel(open.job.id, now());
      run.cancelWritten = written.catch(() => undefined);
      await written;
    },

    /** Ends a job without its handler. Rejects if the first try fails, and goes on trying. */
    finish(open: OpenJob, how: Ending): Promise<void> {
      const first = Promise.withResolvers<void>();
      open.phase = "settling";
      open.tried = first.promise.catch(() => undefined);
      const tryIt = async (): Promise<void> => {
        await settleOnce(open, how).then(first.resolve, (error: unknown) => {
          first.reject(error);
          throw error;
        });
      };
      const done = insist(tryIt, isAnything, ending.signal)
        .catch(() => {
          open.phase = "waiting";
        })
        .finally(() => settling.delete(done));
      settling.add(done);
      return first.promise;
    },

    stop(): Promise<{ interrupted: number }> {
      return (stopped ??= (async () => {
        ending.abort();
        const all = [...runs.values()];
        for (const run of all) run.controller.abort(new HallError("interrupted", "The hall is stopping."));
        await Promise.all([...all.map(({ done }) => done), ...settling]);
        return { interrupted: all.filter(({ isHandled }) => isHandled).length };
      })());
    },
  };
}

const isAnything = (): boolean => true;

const isFull = (error: unknown): boolean => error instanceof HallError && error.code === "disk_full";

const cancelled = ({ job }: OpenJob): HallError => new HallError("stopped", `Job ${job.id} was cancelled.`);
