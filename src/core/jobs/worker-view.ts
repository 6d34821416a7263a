import type { HallEvent } from "../../schema/hall-event.ts";
import type { MemberName } from "../../schema/ids.ts";
import type { WorkerJob } from "../../schema/job.ts";
import type { WorkerHandle } from "../worker/worker-handle.ts";
import { createDetailsLookup } from "./details-lookup.ts";
import { newestFirst } from "./job-order.ts";

type ViewDeps = {
  worker: MemberName;
  handle: () => WorkerHandle;
  now: () => number;
  publish: (event: HallEvent) => void;
};

/** A job with the moment it began, by which lists are sorted; 0 where the worker does not tell. */
export type SeenJob = WorkerJob & { at: number };

export type WorkerView = ReturnType<typeof createWorkerView>;

/**
 * Many pages ask at once, and a page asks again for each change it hears of. A look that took long is kept for longer, so that
 * no more than a part of the time goes into looking, however many jobs there are and however busy the machine is.
 */
const fresh = { leastMs: 500, timesItTook: 4, mostMs: 5000 };

/** What the hall last saw of a worker's jobs. Each look is compared with the one before, and what is new is told. */
export function createWorkerView({ worker, handle, now, publish }: ViewDeps) {
  const details = createDetailsLookup();
  let seen: ReadonlyMap<string, SeenJob> | null = null;
  let leftOut = 0;
  let freshUntil = Number.NEGATIVE_INFINITY;
  /** Raised by everything that makes an earlier look worthless. */
  let wanted = 0;
  let looking: { for: number; done: Promise<void> } | null = null;

  async function look(version: number): Promise<void> {
    const began = now();
    const told = await handle().list();
    const filled = await details.fillIn(told.jobs, handle());
    const next = new Map<string, SeenJob>();
    for (const job of filled.map((told) => ({ ...told, at: momentOf(told) })).toSorted(newestFirst)) next.set(job.jobId, job);
    for (const data of changesBetween(worker, seen, next)) publish({ event: "job", data });
    seen = next;
    leftOut = told.leftOut;
    // Something may have changed since the worker was asked.
    if (version === wanted) freshUntil = now() + freshFor(now() - began);
  }

  function refresh(): Promise<void> {
    if (looking?.for === wanted) return looking.done;
    const version = wanted;
    const own = { for: version, done: (looking?.done ?? Promise.resolve()).catch(() => undefined).then(() => look(version)) };
    looking = own;
    const leave = () => {
      if (looking === own) looking = null;
    };
    own.done.then(leave, leave);
    return own.done;
  }

  return {
    refresh,
    /** The next who asks is told nothing that was seen before. */
    expire(): void {
      wanted += 1;
      freshUntil = Number.NEGATIVE_INFINITY;
    },
    /** The newest first. `leftOut` is how many more there are of which nothing is known. */
    async jobs(): Promise<{ jobs: ReadonlyMap<string, SeenJob>; leftOut: number }> {
      if (seen === null || now() > freshUntil) await refresh();
      return { jobs: seen ?? new Map<string, SeenJob>(), leftOut };
    },
    isRunning: (): boolean => seen?.values().some(({ status }) => status === "running") === true,
  };
}

const freshFor = (tookMs: number): number => Math.min(fresh.mostMs, Math.max(fresh.leastMs, tookMs * fresh.timesItTook));

const momentOf = ({ startedAt }: WorkerJob): number => (startedAt === undefined ? 0 : Date.parse(startedAt) || 0);

type JobEventData = Extract<HallEvent, { event: "job" }>["data"];

/** What happened between two looks. Before the first one nothing is known, so nothing is new. */
function changesBetween(
  worker: string,
  before: ReadonlyMap<string, WorkerJob> | null,
  after: ReadonlyMap<string, WorkerJob>,
): JobEventData[] {
  if (before === null) return [];
  const gone = before.keys().filter((jobId) => !after.has(jobId));
  return [
    ...gone.map((jobId) => ({ id: `${worker}/${jobId}`, status: null })),
    ...after.values().flatMap((job) => changesOf(worker, before.get(job.jobId), job)),
  ];
}

function changesOf(worker: string, before: WorkerJob | undefined, job: WorkerJob): JobEventData[] {
  if (before !== undefined && isAlike(before, job)) return [];
  const about = { id: `${worker}/${job.jobId}`, status: job.status };
  // Of a job whose questions were not known yet, they may be as old as the job.
  const asked = before === undefined ? 0 : before.openQuestions;
  const hasAsked = asked !== undefined && (job.openQuestions ?? 0) > asked;
  // Whoever cancels a job knows that it ends.
  const hasEnded = (before?.status ?? "running") === "running" && (job.status === "completed" || job.status === "failed");
  if (!hasAsked && !hasEnded) return [about];
  return [...(hasAsked ? [{ ...about, change: "asked" as const }] : []), ...(hasEnded ? [{ ...about, change: "ended" as const }] : [])];
}

const isAlike = (a: WorkerJob, b: WorkerJob): boolean =>
  a.status === b.status &&
  a.summary === b.summary &&
  a.description === b.description &&
  a.openQuestions === b.openQuestions &&
  a.usage?.turns === b.usage?.turns &&
  a.usage?.costUsd === b.usage?.costUsd;
