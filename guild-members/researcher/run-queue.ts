import { createStartGate } from "./start-gate.ts";
import type { JobStore } from "./job-store.ts";
import type { RunJob } from "./job.ts";
import { openJob } from "./open-job.ts";
import { identify } from "./process-identity.ts";

export type RunQueue = {
  /** Takes a job that is in the store. It runs when there is room. */
  add(id: string): void;
  /** What to say of each job that has not begun. */
  waiting(): ReadonlyMap<string, string>;
  /** Resolves when nothing of the job runs any more and it is recorded as cancelled. */
  cancel(id: string): Promise<void>;
  /** Resolves when nothing of the job runs. */
  settled(id: string): Promise<void>;
  /** Ends all runs and starts no more. The jobs stay as they are, to be resumed. */
  stop(): Promise<void>;
};

type Run = { abort: AbortController; done: Promise<void>; isAtGate: boolean; isCancelled: boolean };
type QueueNeeds = { store: JobStore; runJob: RunJob; concurrency: number; startsAtOnce: number };

/** Runs jobs in the order they came, a few at once. Each job has at most one run: its id is in one of the two lists. */
export function createRunQueue({ store, runJob, concurrency, startsAtOnce }: QueueNeeds): RunQueue {
  const waiting = new Set<string>();
  const running = new Map<string, Run>();
  const starts = createStartGate(startsAtOnce);
  let isStopping = false;

  function startNext(): void {
    const [id] = waiting;
    if (id === undefined || running.size >= concurrency || isStopping) return;
    waiting.delete(id);
    const run: Run = { abort: new AbortController(), done: Promise.resolve(), isAtGate: true, isCancelled: false };
    running.set(id, run);
    run.done = perform(id, run).finally(() => {
      running.delete(id);
      startNext();
    });
    startNext();
  }

  async function perform(id: string, run: Run): Promise<void> {
    const { signal } = run.abort;
    const started = await starts.enter(signal);
    run.isAtGate = false;
    try {
      await settle(id, run, signal.aborted ? "The job was stopped." : await begin(id, started, signal));
    } catch (error) {
      // The disk is full or gone.
      console.error(`Job ${id} cannot be recorded:`, error);
      await lose(id, run, error);
    } finally {
      started();
    }
  }

  async function begin(id: string, onStarted: () => void, signal: AbortSignal): Promise<string | null> {
    const attempt = (store.find(id)?.meta.attempt ?? 0) + 1;
    await store.update(id, async () => ({ attempt, runner: identify(process.pid) }));
    const text = attempt === 1 ? "Started." : `Resumed after an interruption (attempt ${attempt}).`;
    await store.addEvent(id, { type: "status", status: "running", text });
    return outcomeOf(id, onStarted, signal);
  }

  /** Null for a good end, otherwise words for people. */
  async function outcomeOf(id: string, onStarted: () => void, signal: AbortSignal): Promise<string | null> {
    try {
      const job = await openJob(store, id, onStarted);
      if (job.hasResult()) return null;
      signal.throwIfAborted();
      await runJob(job, signal);
      return job.hasResult() ? null : "The agent came to its end without a result.";
    } catch (error) {
      if ((await store.files.readResult(id)) !== null) return null;
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Only now, when nobody writes to it any more, so that its end is the last of its timeline. */
  async function settle(id: string, { isCancelled }: Run, problem: string | null): Promise<void> {
    if (isCancelled) await store.finish(id, "cancelled");
    else if (problem === null) await store.finish(id, "completed");
    else if (!isStopping) await store.finish(id, "failed", problem);
    await store.update(id, async ({ meta }) => (meta.runner === null && meta.agent === null ? {} : { runner: null, agent: null }));
    const status = store.find(id)?.meta.status;
    if (status === "completed" || status === "cancelled") await store.files.removeSdkFolder(id);
  }

  /** What was handed in is there, whether the record says so or not. */
  async function lose(id: string, { isCancelled }: Run, error: unknown): Promise<void> {
    const hasResult = (await store.files.readResult(id).catch(() => null)) !== null;
    if (hasResult && !isCancelled) return store.lose(id, "completed", null);
    const reason = error instanceof Error ? error.message : String(error);
    store.lose(id, isCancelled ? "cancelled" : "failed", `What became of this job could not be written: ${reason}`);
  }

  function add(id: string): void {
    waiting.add(id);
    startNext();
  }

  return {
    add,
    waiting() {
      const atGate = [...running].flatMap(([id, { isAtGate }]) => (isAtGate ? [id] : []));
      const atWork = running.size - atGate.length;
      const words = (ahead: number): string => `Waiting for its turn: ${atWork} at work, ${ahead} waiting before it.`;
      return new Map([...atGate, ...waiting].map((id, ahead) => [id, words(ahead)]));
    },
    async cancel(id) {
      const run = running.get(id);
      if (run !== undefined) {
        run.isCancelled = true;
        run.abort.abort();
        return run.done;
      }
      const hadPlace = waiting.delete(id);
      try {
        await store.finish(id, "cancelled");
      } catch (error) {
        // Nobody may be left waiting in no queue.
        if (hadPlace) add(id);
        throw error;
      }
    },
    settled: async (id) => running.get(id)?.done,
    async stop() {
      isStopping = true;
      waiting.clear();
      for (const { abort } of running.values()) abort.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
