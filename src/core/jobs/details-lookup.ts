import type { WorkerJob } from "../../schema/job.ts";
import type { WorkerHandle } from "../worker/worker-handle.ts";

type Details = Pick<WorkerJob, "startedAt" | "completedAt" | "openQuestions" | "usage"> & Pick<WorkerJob, "status">;

/** So many jobs of a worker are asked about with each look at it, so that a long list does not become as many requests at once. */
const mostAsked = 20;

/**
 * The protocol lets a list be without times and questions. Of such a worker each job is asked about by itself, the
 * last in the list first: once when it has ended, and at each look while it runs.
 */
export function createDetailsLookup() {
  const known = new Map<string, Details>();

  async function ask(jobId: WorkerJob["jobId"], handle: WorkerHandle): Promise<void> {
    // A job that cannot be asked about is shown as the list has it.
    const found = await handle.status(jobId).catch(() => null);
    if (found === null) return;
    const { status, startedAt, completedAt, questions, openQuestions, usage } = found;
    known.set(jobId, { status, startedAt, completedAt, usage, openQuestions: openQuestions ?? questions?.length ?? 0 });
  }

  return {
    async fillIn(jobs: readonly WorkerJob[], handle: WorkerHandle): Promise<readonly WorkerJob[]> {
      const isWhole = ({ startedAt, openQuestions }: WorkerJob) => startedAt !== undefined && openQuestions !== undefined;
      if (jobs.every(isWhole)) return jobs;
      const due = jobs.filter((job) => !isWhole(job) && (job.status === "running" || known.get(job.jobId)?.status !== job.status));
      await Promise.all(due.slice(-mostAsked).map(({ jobId }) => ask(jobId, handle)));
      return jobs.map((job) => {
        const found = isWhole(job) ? undefined : known.get(job.jobId);
        if (found === undefined) return job;
        const { status: _status, ...details } = found;
        return { ...details, ...job };
      });
    },
  };
}
