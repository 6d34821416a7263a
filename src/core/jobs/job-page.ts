import { HallError } from "../../schema/hall-error.ts";
import type { MemberName } from "../../schema/ids.ts";
import type { Job, JobStatus } from "../../schema/job.ts";
import { inOrder } from "./job-order.ts";
import type { Position } from "./job-order.ts";
import { emptyRecord, settledIn } from "./job-records.ts";
import type { JobRecord } from "./job-records.ts";
import type { SeenJob } from "./worker-view.ts";

export type JobListQuery = {
  worker?: MemberName | undefined;
  status?: readonly JobStatus[] | undefined;
  filter?: string | undefined;
  needsYou?: boolean | undefined;
  hidden?: boolean | undefined;
  cursor?: string | undefined;
  limit: number;
};

export type PlacedJob = Job & { at: number };

export function placedJob(worker: MemberName, { at, ...job }: SeenJob, record: JobRecord = emptyRecord): PlacedJob {
  return {
    worker,
    jobId: job.jobId,
    status: job.status,
    description: job.description,
    summary: job.summary,
    startedAt: job.startedAt ?? null,
    completedAt: job.completedAt ?? null,
    openQuestions: questionsLeft(job, record),
    usage: job.usage ?? null,
    hidden: isHidden(job, record),
    at,
  };
}

const questionsLeft = ({ openQuestions = 0 }: Pick<SeenJob, "openQuestions">, record: JobRecord): number =>
  Math.max(0, openQuestions - settledIn(record));

/** A job that was hidden when it had failed, and runs again, is there again. */
const isHidden = ({ status }: Pick<SeenJob, "status">, record: JobRecord): boolean => record.hidden && status === "failed";

/**
 * One page, newest first, of the jobs of several workers, each of whom tells theirs in order: of very many no more are looked at
 * than the page needs. A cursor names the last job of the page before, so that jobs that come or go meanwhile shift nothing.
 */
export function pageOf(
  workers: readonly IteratorObject<PlacedJob>[],
  { limit, cursor, ...query }: JobListQuery,
): { jobs: Job[]; nextCursor: string | null } {
  const after = cursor === undefined ? null : positionIn(cursor);
  const isWanted = (job: PlacedJob): boolean => isAskedFor(job, query) && (after === null || inOrder(after, job) < 0);
  const wanted = workers
    .flatMap((jobs) =>
      jobs
        .filter(isWanted)
        .take(limit + 1)
        .toArray(),
    )
    .toSorted(inOrder);
  const page = wanted.slice(0, limit);
  const last = page.at(-1);
  return {
    jobs: page.map(({ at: _at, ...job }) => job),
    nextCursor: wanted.length > page.length && last !== undefined ? `${last.at}.${last.worker}.${last.jobId}` : null,
  };
}

export type JobCounts = Record<JobStatus | "needsYou", number>;

export const noJobs = (): JobCounts => ({ running: 0, completed: 0, failed: 0, cancelled: 0, needsYou: 0 });

/** Adds those of one worker: jobs, and the questions among them that wait for a person. */
export function addCounts(counts: JobCounts, jobs: Iterable<SeenJob>, records: ReadonlyMap<string, JobRecord>): void {
  for (const job of jobs) {
    const record = records.get(job.jobId) ?? emptyRecord;
    if (isHidden(job, record)) continue;
    counts[job.status] += 1;
    counts.needsYou += questionsLeft(job, record);
  }
}

function isAskedFor(job: Job, { worker, status, needsYou, hidden }: Omit<JobListQuery, "limit" | "cursor">): boolean {
  if (worker !== undefined && job.worker !== worker) return false;
  if (status !== undefined && !status.includes(job.status)) return false;
  if (needsYou !== undefined && job.openQuestions > 0 !== needsYou) return false;
  return hidden === true || !job.hidden;
}

function positionIn(cursor: string): Position {
  const [, at, worker, jobId] = /^(\d{1,16})\.([a-z0-9-]+)\.([\w.-]+)$/.exec(cursor) ?? [];
  if (at === undefined || worker === undefined || jobId === undefined)
    throw new HallError("bad_request", "This cursor is not one the hall gave. Start again without a cursor.");
  return { at: Number(at), worker, jobId };
}
