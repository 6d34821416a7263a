import type { JobQuery } from "../../client/jobs.ts";
import { MemberName } from "../../schema/ids.ts";
import type { Job, JobList, JobStatus } from "../../schema/job.ts";

/** What the Jobs page shows, as its address says. */
export type JobsQuery = {
  show: JobShow;
  /** Empty for all of them. */
  worker: string;
  /** What somebody wrote to look for: a glob, or words. */
  words: string;
  /** With those that a person has hidden. */
  hidden: boolean;
};

export type JobShow = "all" | "needs-you" | "running" | "completed" | "failed" | "cancelled";

/** Jobs that stand together under one heading. */
export type JobGroup = "waiting" | "running" | "ended" | "completed" | "failed" | "cancelled";

export const jobShows: Record<JobShow, { label: string; groups: readonly JobGroup[] }> = {
  all: { label: "All", groups: ["waiting", "running", "ended"] },
  "needs-you": { label: "Needs you", groups: ["waiting"] },
  running: { label: "Running", groups: ["running"] },
  completed: { label: "Completed", groups: ["completed"] },
  failed: { label: "Failed", groups: ["failed"] },
  cancelled: { label: "Cancelled", groups: ["cancelled"] },
};

const asked: Record<JobGroup, Pick<JobQuery, "status" | "needsYou">> = {
  waiting: { needsYou: true },
  running: { status: "running" },
  ended: { status: ["completed", "failed", "cancelled"] },
  completed: { status: "completed" },
  failed: { status: "failed" },
  cancelled: { status: "cancelled" },
};

const mostLetters = 200;

export function readJobsQuery(parameter: (name: string) => string | null | undefined): JobsQuery {
  const show = parameter("show") ?? "all";
  return {
    show: isShow(show) ? show : "all",
    worker: MemberName.safeParse(parameter("worker")).data ?? "",
    words: (parameter("q") ?? "").trim().slice(0, mostLetters),
    hidden: parameter("hidden") === "yes",
  };
}

const isShow = (text: string): text is JobShow => Object.hasOwn(jobShows, text);

export function jobsAddress({ show, worker, words, hidden }: JobsQuery): string {
  const parameters = new URLSearchParams({
    ...(show === "all" ? {} : { show }),
    ...(worker === "" ? {} : { worker }),
    ...(words === "" ? {} : { q: words }),
    ...(hidden ? { hidden: "yes" } : {}),
  });
  return parameters.size === 0 ? "/jobs" : `/jobs?${parameters.toString()}`;
}

/** The same as a question to the hall, for one group of jobs. */
export const askedOf = ({ worker, words, hidden }: JobsQuery, group: JobGroup): JobQuery => ({
  ...asked[group],
  ...(worker === "" ? {} : { worker }),
  ...(words === "" ? {} : { filter: globOf(words) }),
  ...(hidden ? { hidden } : {}),
});

/** Words are looked for anywhere in a description; who writes a glob means all of it. */
const globOf = (words: string): string => (/[*?]/.test(words) ? words : `*${words}*`);

/** Where all jobs are shown, one that waits for the reader stands with those that do, and nowhere else. */
export const isInGroup = (job: Pick<Job, "openQuestions">, group: JobGroup, { show }: Pick<JobsQuery, "show">): boolean =>
  show !== "all" || group === "waiting" || job.openQuestions === 0;

/** Jobs, but where the reader is needed, the questions that wait. */
export const jobCountOf = (show: JobShow, counts: JobList["counts"]): number =>
  show === "all" ? statuses.reduce((sum, status) => sum + counts[status], 0) : show === "needs-you" ? counts.needsYou : counts[show];

const statuses: readonly JobStatus[] = ["running", "completed", "failed", "cancelled"];
