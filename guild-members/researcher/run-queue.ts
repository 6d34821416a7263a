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
  /** Resolves when the job is recorded as cancelled and nothing of it runs any more. */
  cancel(id: string): Promise<void>;
  /** Resolves when nothing of the job runs. */
  settled(id: string): Promise<void>;
  /** Ends all runs and starts no more. The jobs stay as they are, to be resumed. */
  stop(): Promise<void>;
};

type Run = { abort: AbortController; done: Promise<void> };
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
    const abort = new AbortController();
    const done = run(id, abort.signal).finally(() => {
      running.delete(id);
      startNext();
    });
    running.set(id, { abort, done });
    startNext();
  }

  async function run(id: string, signal: AbortSignal): Promise<void> {
    const started = await starts.enter(signal);
    try {
      if (signal.aborted) return;
      const attempt = (store.find(id)?.meta.attempt ?? 0) + 1;
      await store.update(id, async () => ({ attempt, runner: identify(process.pid) }));
      await store.addEvent(id, {
        type: "status",
        status: "running",
        text: attempt === 1 ? "Started." : `Resumed after an interruption (attempt ${attempt}).`,
      });
      await settle(id, await outcomeOf(id, started, signal));
    } catch (error) {
      // The disk is full or gone. The record will be put right at the next start; until then this is the truth.
      console.error(`Job ${id} cannot be recorded:`, error);
      store.lose(id, `What became of this job could not be written: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      started();
    }
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

  async function settle(id: string, problem: string | null): Promise<void> {
    if (problem === null) await store.finish(id, "completed");
    else if (!isStopping) await store.finish(id, "failed", problem);
    await store.update(id, async () => ({ runner: null, agent: null }));
  }

  return {
    add(id) {
      waiting.add(id);
      startNext();
    },
    waiting: () =>
      new Map([...waiting].map((id, ahead) => [id, `Waiting for its turn: ${running.size} at work, ${ahead} waiting before it.`])),
    async cancel(id) {
      waiting.delete(id);
      await store.finish(id, "cancelled");
      const run = running.get(id);
      run?.abort.abort();
      await run?.done;
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
