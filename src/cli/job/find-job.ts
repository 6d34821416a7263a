import { z } from "zod";
import type { HallClient } from "../../client/hall-client.ts";
import { HallError } from "../../schema/hall-error.ts";
import { MemberName } from "../../schema/ids.ts";
import { JobId } from "../../schema/job.ts";
import type { Job } from "../../schema/job.ts";
import { checked } from "../checked.ts";
import { quoted, safeText } from "../safe-text.ts";
import { table } from "../table.ts";

type Jobs = Pick<HallClient["jobs"], "list">;

export type JobName = { worker: MemberName; jobId: JobId };

/** The job a person means: by its id, or by a beginning of it that no other job of the worker has. */
export async function findJob(jobs: Jobs, worker: string, wanted: string): Promise<JobName> {
  const name = checked(MemberName, worker, "The name of a worker");
  const id = checked(JobId, wanted, "The id of a job");
  // Whole for certain. A worker whose ids are of another kind is asked for its list.
  if (z.uuid().safeParse(wanted).success) return { worker: name, jobId: id };
  const found = await candidates(jobs, name, id);
  const same = found.filter(({ jobId }) => jobId === id);
  const [only, ...others] = same.length > 0 ? same : found;
  if (only === undefined) {
    throw new HallError("not_found", `${name} has no job ${quoted(wanted)}. List its jobs with: guild-hall job list --worker ${name}`);
  }
  if (others.length > 0) throw ambiguous(wanted, [only, ...others]);
  return { worker: name, jobId: only.jobId };
}

const pageSize = 500;

async function candidates(jobs: Jobs, worker: MemberName, beginning: JobId): Promise<Job[]> {
  const found: Job[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await jobs.list({ worker, hidden: true, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) });
    const missing = page.missing.find(({ jobs: which }) => which === "all");
    if (missing !== undefined) throw new HallError("member_unavailable", `${missing.worker} could not be asked: ${missing.reason}`);
    found.push(...page.jobs.filter(({ jobId }) => jobId.startsWith(beginning)));
    cursor = page.nextCursor;
  }
  return found;
}

const mostShown = 10;

function ambiguous(wanted: string, found: readonly Job[]): HallError {
  const rows = table(found.slice(0, mostShown).map(({ jobId, status, description }) => [jobId, status, safeText(description)]));
  const more = found.length > mostShown ? [`and ${found.length - mostShown} more`] : [];
  const lines = [...rows, ...more].map((row) => `  ${row}`).join("\n");
  return new HallError("bad_request", `${quoted(wanted)} may be any of ${found.length} jobs. Use more of the id of one:\n${lines}`);
}
