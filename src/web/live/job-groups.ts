import type { HallClient } from "../../client/hall-client.ts";
import type { Job, JobList } from "../../schema/job.ts";
import { askedOf, jobsAddress, jobShows } from "./jobs-query.ts";
import type { JobGroup, JobsQuery } from "./jobs-query.ts";

export type ReadGroup = { group: JobGroup; list: JobList };

/** What the Jobs page shows, and the address that it was read for. */
export type ReadJobs = { groups: readonly ReadGroup[]; of: string };

/** What is drawn with the page itself. */
export const firstJobs = 60;
/** More than these are not read again because something changed: what runs is at the beginning. */
const mostReadAgain = 500;

type Lister = Pick<HallClient["jobs"], "list">;

/** The beginning of each group, `count` says how many. */
export async function readJobGroups(client: Lister, query: JobsQuery, count: (group: JobGroup) => number): Promise<ReadJobs> {
  const groups = await Promise.all(
    jobShows[query.show].groups.map(async (group) => ({
      group,
      list: await client.list({ ...askedOf(query, group), limit: Math.min(mostReadAgain, Math.max(firstJobs, count(group))) }),
    })),
  );
  return { groups, of: jobsAddress(query) };
}

/** The next page behind what is there. A job may be on two pages where something came in between. */
export function withNextJobs(list: JobList, page: JobList): JobList {
  const known = new Set(list.jobs.map(jobKey));
  return { ...page, jobs: [...list.jobs, ...page.jobs.filter((job) => !known.has(jobKey(job)))] };
}

/** The beginning as it is now, and behind it what was read before. */
export function withFreshJobs(before: JobList, fresh: JobList): JobList {
  const last = fresh.jobs.at(-1);
  if (fresh.nextCursor === null || last === undefined) return fresh;
  const at = before.jobs.findIndex((job) => jobKey(job) === jobKey(last));
  const known = new Set(fresh.jobs.map(jobKey));
  const behind = at === -1 ? [] : before.jobs.slice(at + 1).filter((job) => !known.has(jobKey(job)));
  return behind.length === 0 ? fresh : { ...fresh, jobs: [...fresh.jobs, ...behind], nextCursor: before.nextCursor };
}

export const jobKey = ({ worker, jobId }: Pick<Job, "worker" | "jobId">): string => `${worker}/${jobId}`;
