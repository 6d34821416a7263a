import { HallError } from "../../schema/hall-error.ts";
import { copyOf } from "../world.testing.ts";
import type { Life } from "../world.testing.ts";
import type { ConsumeOptions, Consumer, EngineJob, EndState, JobEngine, JobFailure, JobHandler, JobSettler, NewJob } from "./job-engine.ts";

/** A record as the disk has it. `isCancelled` is the wish of a person; `life` is the process that holds it. */
type Stored = { job: EngineJob; order: number; isCancelled: boolean; life: Life | null };

export type EngineDisk = Map<string, Stored>;

type Work = { abort: AbortController; done: Promise<void> };

type MemoryEngineOptions = {
  life: Life;
  disk: EngineDisk;
  now: () => string;
  onProblem: (error: unknown) => void;
  /** How long to wait before a write that failed is tried again. */
  retryMs?: number;
};

/** The job engine on a disk that is memory: the port for one process, with each write where it can fail and a crash can come. */
export function createMemoryJobEngine({ life, disk, now, onProblem, retryMs = 1000 }: MemoryEngineOptions): JobEngine {
  let isClosed = false;
  const consumers = new Map<string, ReturnType<typeof createConsumer>>();
  let caps: Readonly<Record<string, number>> = {};

  function mustBeOpen(): void {
    if (isClosed) throw new HallError("shutting_down", "The engine is closed.");
  }

  const record = (id: string): EngineJob | null => {
    const stored = disk.get(id);
    return stored === undefined ? null : copyOf(stored.job);
  };

  const openOf = (kind: string): Stored[] =>
    [...disk.values()].filter(({ job }) => job.kind === kind && job.endedAt === null).toSorted((a, b) => a.order - b.order);

  const mustHave = (id: string): Stored => {
    const stored = disk.get(id);
    if (stored === undefined) throw new Error(`Job ${id} is not there.`);
    return stored;
  };

  const end = (id: string, state: EndState, failure: JobFailure | null, at = now()): Promise<void> =>
    life.write(() => {
      // One whose end was written late may have been forgotten since.
      const stored = disk.get(id);
      if (stored?.job.endedAt === null) stored.job = { ...stored.job, state, failure, endedAt: at, payload: null };
    });

  /** Repeats a write in the background. */
  async function insist(work: () => Promise<void>, isOver: () => boolean): Promise<boolean> {
    for (;;) {
      try {
        await work();
        return true;
      } catch (error) {
        onProblem(error);
        if (isOver()) return false;
        await life.pause(retryMs);
      }
    }
  }

  const inGroup = (group: string): number => [...consumers.values()].reduce((sum, consumer) => sum + consumer.has(group), 0);

  const pumpAll = (): void => {
    for (const consumer of consumers.values()) consumer.pump();
  };

  function createConsumer(kind: string, options: ConsumeOptions, handle: JobHandler, settle: JobSettler) {
    /** Jobs that are admitted, run or are settled here. */
    const works = new Map<string, Work>();
    /** Settled when a job was begun, or its settler was called for the first time. */
    const decided = new Map<string, PromiseWithResolvers<void>>();
    let isStopped = false;
    let stopping: Promise<{ interrupted: number }> | null = null;

    function decidedOf(id: string): PromiseWithResolvers<void> {
      const known = decided.get(id) ?? Promise.withResolvers<void>();
      decided.set(id, known);
      // It may have no listener.
      known.promise.catch(() => undefined);
      return known;
    }

    function canRun({ job }: Stored, lanes: ReadonlySet<string | null>): boolean {
      if (job.lane !== null && lanes.has(job.lane)) return false;
      if (job.notBefore !== null && job.notBefore > now()) return false;
      if (!job.labels.every((label) => options.labels?.includes(label) === true)) return false;
      return job.groups.every((group) => inGroup(group) < (caps[group] ?? Infinity));
    }

    function pump(): void {
      if (isStopped || life.isOver) return;
      const open = openOf(kind);
      const isFree = ({ job }: Stored) => !works.has(job.id);
      const lanes = new Set(open.filter((each) => !isFree(each)).map(({ job }) => job.lane));
      const candidates: Stored[] = [];
      for (const each of open.filter(isFree)) {
        if (canRun(each, lanes)) candidates.push(each);
        lanes.add(each.job.lane);
      }
      for (const { job } of candidates.toSorted((a, b) => b.job.priority - a.job.priority)) {
        if (options.capacity !== null && works.size >= options.capacity) break;
        if (!job.groups.every((group) => inGroup(group) < (caps[group] ?? Infinity))) continue;
        begin(job.id, (abort) => run(job.id, abort));
      }
      const later = open.map(({ job }) => job.notBefore).filter((time) => time !== null && time > now());
      for (const time of later) life.schedule(Date.parse(time ?? "") - Date.parse(now()), pump);
    }

    function begin(id: string, work: (abort: AbortController) => Promise<void>): void {
      const abort = new AbortController();
      const done = work(abort)
        .catch(onProblem)
        .finally(() => {
          works.delete(id);
          decided.get(id)?.resolve();
          decided.delete(id);
          pumpAll();
        });
      works.set(id, { abort, done });
    }

    async function run(id: string, abort: AbortController): Promise<void> {
      const { job } = mustHave(id);
      const release = await admitted(job, abort.signal);
      const isTaken = release !== null && (await taken(id, abort.signal));
      try {
        if (isTaken) await ended(id, await failureIn(id, abort.signal));
      } finally {
        release?.();
      }
      if (!isTaken && mustHave(id).isCancelled) await settled(id, "cancelled", null);
    }

    async function failureIn(id: string, signal: AbortSignal): Promise<JobFailure | null> {
      decidedOf(id).resolve();
      const { job } = mustHave(id);
      return handle({ job: copyOf(job), attempt: job.attempt, signal }).then(() => null, failureOf);
    }

    async function admitted(job: EngineJob, signal: AbortSignal): Promise<(() => void) | null> {
      if (signal.aborted) return null;
      try {
        return (await options.admit?.(copyOf(job), signal)) ?? (() => undefined);
      } catch (error) {
        if (signal.aborted || isStopped) return null;
        onProblem(error);
        await life.pause(retryMs);
        return null;
      }
    }

    async function taken(id: string, signal: AbortSignal): Promise<boolean> {
      const take = () =>
        life.write(() => {
          const stored = mustHave(id);
          if (stored.isCancelled || stored.life === life) return;
          stored.life = life;
          stored.job = { ...stored.job, state: "running", attempt: stored.job.attempt + 1, startedAt: now() };
        });
      await insist(take, () => signal.aborted || isStopped);
      return mustHave(id).life === life;
    }

    async function ended(id: string, failure: JobFailure | null): Promise<void> {
      const { isCancelled, job } = mustHave(id);
      if (isCancelled)
        return void (await insist(
          () => end(id, "cancelled", null),
          () => isStopped,
        ));
      if (failure === null)
        return void (await insist(
          () => end(id, "completed", null),
          () => isStopped,
        ));
      if (!isStopped)
        return void (await insist(
          () => end(id, "failed", failure),
          () => isStopped,
        ));
      if (job.attempt >= options.attempts) {
        const interrupted = { code: "interrupted", message: "The hall ended." };
        return void (await insist(
          () => end(id, "failed", interrupted),
          () => isStopped,
        ));
      }
      const leave = () =>
        life.write(() => {
          const stored = mustHave(id);
          stored.life = null;
          stored.job = { ...stored.job, state: "waiting" };
        });
      await insist(leave, () => isStopped);
    }

    /** For a job that ended without its handler. */
    async function settled(id: string, state: EndState, failure: JobFailure | null): Promise<void> {
      const { job } = mustHave(id);
      const endedAt = now();
      const first = decidedOf(id);
      await insist(
        async () => {
          try {
            await settle({ ...copyOf(job), state, failure, endedAt });
            await end(id, state, failure, endedAt);
            first.resolve();
          } catch (error) {
            first.reject(error);
            throw error;
          }
        },
        () => isStopped,
      );
    }

    return {
      pump,
      isHandling: (id: string) => works.has(id),
      abort(id: string): void {
        works.get(id)?.abort.abort();
      },
      /** A job that was not taken yet. */
      async cancelWaiting(id: string): Promise<void> {
        const { promise } = decidedOf(id);
        begin(id, () => settled(id, "cancelled", null));
        await promise;
      },
      /** Ends the wait of a job for its admission. */
      async cancelAdmission(id: string): Promise<void> {
        const { promise } = decidedOf(id);
        works.get(id)?.abort.abort();
        await promise;
      },
      has: (group: string): number => [...works.keys()].filter((id) => disk.get(id)?.job.groups.includes(group) === true).length,
      /** What dead processes left. */
      async recover(): Promise<void> {
        for (const stored of openOf(kind)) {
          const { id } = stored.job;
          const wasRunning = stored.job.state === "running";
          const isLast = stored.job.attempt >= options.attempts;
          if (stored.isCancelled) begin(id, () => settled(id, "cancelled", null));
          else if (wasRunning && isLast) begin(id, () => settled(id, "failed", { code: "interrupted", message: "The hall ended." }));
          else if (wasRunning) {
            await life.write(() => {
              stored.life = null;
              stored.job = { ...stored.job, state: "waiting" };
            });
          }
        }
        const first = [...works.values()].map(({ done }) => done);
        // A job that cannot be settled yet is tried again later and does not hold up the others.
        await Promise.race([Promise.all(first), life.pause(retryMs / 2)]);
      },
      stop(): Promise<{ interrupted: number }> {
        isStopped = true;
        stopping ??= (async () => {
          const interrupted = [...works.keys()].filter((id) => disk.get(id)?.job.state === "running").length;
          for (const { abort } of works.values()) abort.abort();
          await Promise.race([Promise.all([...works.values()].map(({ done }) => done)), life.pause(10 * retryMs)]);
          consumers.delete(kind);
          return { interrupted };
        })();
        return stopping;
      },
    };
  }

  return {
    start: () => life.step(),
    async close() {
      isClosed = true;
      const all = await Promise.all([...consumers.values()].map((consumer) => consumer.stop()));
      return { interrupted: all.reduce((sum, { interrupted }) => sum + interrupted, 0) };
    },
    async submit(given) {
      mustBeId(given.id);
      if (given.notBefore !== undefined && Number.isNaN(Date.parse(given.notBefore)))
        throw new HallError("bad_request", `"${given.notBefore}" is no time.`);
      await life.write(() => {
        if (!disk.has(given.id))
          disk.set(given.id, { job: newRecord(given, now()), order: nextOrder(disk), isCancelled: false, life: null });
      }, allOrNone);
      const stored = record(given.id);
      consumers.get(given.kind)?.pump();
      if (stored === null) throw new Error(`Job ${given.id} is not there.`);
      return stored;
    },
    async cancel(id) {
      const stored = disk.get(id);
      if (stored === undefined || stored.job.endedAt !== null) return record(id);
      await life.write(() => {
        stored.isCancelled = true;
      }, allOrNone);
      const consumer = consumers.get(stored.job.kind);
      // Without a consumer, the next one settles it.
      if (consumer !== undefined && !consumer.isHandling(id)) await consumer.cancelWaiting(id);
      else if (stored.job.state === "waiting") await consumer?.cancelAdmission(id);
      else consumer?.abort(id);
      return record(id);
    },
    get: (id) => life.read(() => record(id)),
    listOpen: (kind) => life.read(() => openOf(kind).map(({ job }) => job)),
    async setLimits({ perGroup }) {
      caps = perGroup;
      pumpAll();
    },
    async consume(kind, options, handle, settle): Promise<Consumer> {
      mustBeOpen();
      if (consumers.has(kind)) throw new HallError("conflict", `Jobs of kind "${kind}" already have a consumer.`);
      const consumer = createConsumer(kind, options, handle, settle);
      consumers.set(kind, consumer);
      await consumer.recover();
      consumer.pump();
      return { stop: consumer.stop };
    },
    async remove(id) {
      const stored = disk.get(id);
      if (stored !== undefined && stored.job.endedAt === null) throw new HallError("conflict", `Job ${id} has not ended. Cancel it first.`);
      await life.write(() => void disk.delete(id));
    },
  };
}

/** A submission or a wish to cancel that fails has left nothing. */
const allOrNone = { isAllOrNone: true } as const;

const newRecord = (
  { id, kind, lane, groups = [], priority = 0, notBefore, labels = [], payload }: NewJob,
  submittedAt: string,
): EngineJob => ({
  id,
  kind,
  lane,
  groups: [...groups],
  priority,
  notBefore: notBefore ?? null,
  labels: [...labels],
  submittedAt,
  payload: copyOf(payload ?? null),
  state: "waiting",
  attempt: 0,
  startedAt: null,
  endedAt: null,
  failure: null,
});

const nextOrder = (disk: EngineDisk): number => Math.max(0, ...[...disk.values()].map(({ order }) => order)) + 1;

const failureOf = (error: unknown): JobFailure =>
  error instanceof HallError
    ? { code: error.code, message: error.message }
    : { code: "internal", message: error instanceof Error ? error.message : String(error) };

function mustBeId(id: string): void {
  if (!/^[a-z0-9][a-z0-9_-]{0,127}$/.test(id)) throw new HallError("invalid_id", `"${id}" is no id of a job.`);
}
