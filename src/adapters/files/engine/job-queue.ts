import type { ConsumeOptions, Consumer, JobHandler, JobSettler } from "../../../core/engine/job-engine.ts";
import { settleJob } from "../../../core/engine/settle-job.ts";
import { nextDue, takeableJobs } from "../../../core/engine/takeable-jobs.ts";
import type { Room } from "../../../core/engine/takeable-jobs.ts";
import { HallError } from "../../../schema/hall-error.ts";
import type { EngineJobId } from "../../../schema/ids.ts";
import { createKindConsumer } from "./kind-consumer.ts";
import type { ConsumerDeps, KindConsumer } from "./kind-consumer.ts";
import type { OpenJob } from "./open-job.ts";

/** The clock may be changed while a job waits for its time. */
const longestPauseMs = 60_000;

/** The jobs that have not ended, in the order of submission, and the consumers that take them. */
export function createJobQueue(deps: Omit<ConsumerDeps, "onEnded" | "onFree">) {
  const { files, now } = deps;
  const jobs = new Map<EngineJobId, OpenJob>();
  const consumers = new Map<string, KindConsumer>();
  /** Their consumers have settled what an earlier life left. */
  const taking = new Map<string, KindConsumer>();
  let perGroup: ReadonlyMap<string, number> = new Map();
  let timer: NodeJS.Timeout | undefined;
  let closed: Promise<{ interrupted: number }> | undefined;

  /** Choosing and taking happen without a pause in between, so no two calls can take the same place or job. */
  function dispatch(): void {
    clearTimeout(timer);
    if (taking.size === 0) return;
    const room: Room = { consumers: taking, perGroup, now: Date.now() };
    for (const open of takeableJobs(jobs.values(), room)) taking.get(open.job.kind)?.take(open);
    const due = nextDue(jobs.values(), room);
    if (due !== null) timer = setTimeout(dispatch, Math.min(due - room.now, longestPauseMs));
  }

  function onEnded({ job }: OpenJob): void {
    jobs.delete(job.id);
    dispatch();
  }

  async function consume(kind: string, options: ConsumeOptions, handle: JobHandler, settle: JobSettler): Promise<Consumer> {
    if (closed !== undefined) throw new HallError("interrupted", "The job engine is closed.");
    if (consumers.has(kind)) throw new HallError("conflict", `Jobs of kind "${kind}" already have a consumer.`);
    const consumer = createKindConsumer({ ...deps, onEnded, onFree: dispatch }, options, handle, settle);
    consumers.set(kind, consumer);
    // What cannot be settled now was reported and is tried again.
    await Promise.allSettled(list(kind).map((open) => settleLeft(open, consumer)));
    if (!consumer.isStopping()) taking.set(kind, consumer);
    dispatch();
    return { stop: () => stop(kind, consumer) };
  }

  async function settleLeft(open: OpenJob, consumer: KindConsumer): Promise<void> {
    if (open.phase !== "waiting") return;
    const settlement = settleJob(open, consumer.attempts);
    if (settlement.next === "end") await consumer.finish(open, settlement);
  }

  async function stop(kind: string, consumer: KindConsumer): Promise<{ interrupted: number }> {
    if (taking.get(kind) === consumer) taking.delete(kind);
    const stopped = await consumer.stop();
    if (consumers.get(kind) === consumer) consumers.delete(kind);
    return stopped;
  }

  /** Without a consumer there is no settler: then the job stays open, and the next consumer settles it. */
  async function cancelWaiting(open: OpenJob): Promise<void> {
    const consumer = consumers.get(open.job.kind);
    open.phase = "settling";
    try {
      await consumer?.dismiss(open);
      await files.requestCancel(open.job.id, now());
    } catch (error) {
      open.phase = "waiting";
      dispatch();
      throw error;
    }
    open.cancelRequested = true;
    if (consumer === undefined || consumer.isStopping()) open.phase = "waiting";
    else await consumer.finish(open, { state: "cancelled", failure: null });
  }

  const list = (kind: string): OpenJob[] => [...jobs.values()].filter(({ job }) => job.kind === kind);

  return {
    consume,
    list,
    find: (id: EngineJobId): OpenJob | null => jobs.get(id) ?? null,

    add(open: OpenJob): void {
      jobs.set(open.job.id, open);
      dispatch();
    },

    setLimits(limits: Readonly<Record<string, number>>): void {
      perGroup = new Map(Object.entries(limits));
      dispatch();
    },

    async cancel(open: OpenJob): Promise<void> {
      if (open.phase === "taking" || open.phase === "running") return consumers.get(open.job.kind)?.cancelRunning(open);
      if (open.phase !== "waiting" && open.phase !== "admitting") return void (await open.tried);
      const cancelled = cancelWaiting(open);
      open.tried = cancelled.catch(() => undefined);
      await cancelled;
    },

    close(): Promise<{ interrupted: number }> {
      return (closed ??= (async () => {
        const stopped = await Promise.all([...consumers].map(([kind, consumer]) => stop(kind, consumer)));
        return { interrupted: stopped.reduce((sum, { interrupted }) => sum + interrupted, 0) };
      })());
    },
  };
}
