import { HallError } from "../../schema/hall-error.ts";
import type { MemberName } from "../../schema/ids.ts";
import type { JobList } from "../../schema/job.ts";
import type { Schedule } from "../schedule.ts";
import type { Workers } from "../worker/workers.ts";
import { addCounts, noJobs, pageOf, placedJob } from "./job-page.ts";
import type { JobListQuery } from "./job-page.ts";
import type { JobRecord, JobRecords } from "./job-records.ts";
import type { SeenJob, WorkerView } from "./worker-view.ts";

type ListDeps = { workers: Workers; records: JobRecords; viewOf: (worker: MemberName) => WorkerView; schedule: Schedule };

/** How long a list waits for a worker. It is shown without those that take longer. */
const patienceMs = 5000;

/** What was seen of one worker, newest first. */
type Look = {
  worker: MemberName;
  jobs: ReadonlyMap<string, SeenJob>;
  records: ReadonlyMap<string, JobRecord>;
  /** Those that the filter lets through; null where there is none. */
  matches: ReadonlySet<string> | null;
  missing: JobList["missing"];
  /** What the worker has against the filter. */
  refusal: HallError | null;
};

/** The jobs of all workers in one list, or of the one that is asked for. */
export function createJobLister({ workers, records, viewOf, schedule }: ListDeps) {
  /** The jobs of one worker, or the reason why they cannot be told. */
  async function lookAt(worker: MemberName, filter: string | undefined): Promise<Look> {
    const missing = (jobs: "all" | "some", reason: string) => [{ worker, jobs, reason }];
    try {
      const looking = Promise.all([
        viewOf(worker).jobs(),
        records.all(worker),
        filter === undefined ? null : workers.get(worker).find(filter).catch(refusalIn),
      ]);
      const [seen, known, matches] = await withinTime(looking, worker, schedule);
      const found = { worker, jobs: seen.jobs, records: known };
      if (matches instanceof HallError) {
        const refused = missing("all", `It does not take this filter: ${matches.message}`);
        return { ...found, matches: new Set(), missing: refused, refusal: matches };
      }
      return { ...found, matches, missing: seen.leftOut === 0 ? [] : missing("some", leftOutWords(seen.leftOut)), refusal: null };
    } catch (error) {
      if (!(error instanceof HallError)) throw error;
      return { worker, jobs: new Map(), records: new Map(), matches: null, missing: missing("all", error.message), refusal: null };
    }
  }

  return async (query: JobListQuery): Promise<JobList> => {
    const asked = workers.list().filter(({ name }) => query.worker === undefined || name === query.worker);
    const away = asked.flatMap(({ name, missing }) => (missing === null ? [] : [{ worker: name, jobs: "all" as const, reason: missing }]));
    const looks = await Promise.all(asked.flatMap(({ name, missing }) => (missing === null ? [lookAt(name, query.filter)] : [])));
    // A glob that no worker takes is the asker's mistake; one that some of them take is theirs.
    const [refusal] = looks.flatMap((look) => look.refusal ?? []);
    if (refusal !== undefined && looks.every((look) => look.refusal !== null)) throw refusal;
    const counts = noJobs();
    for (const { jobs, records } of looks) addCounts(counts, jobs.values(), records);
    return {
      ...pageOf(looks.map(jobsOf), query),
      counts,
      missing: [...away, ...looks.flatMap(({ missing }) => missing)],
    };
  };
}

const jobsOf = ({ worker, jobs, records, matches }: Look) =>
  jobs
    .values()
    .filter(({ jobId }) => matches === null || matches.has(jobId))
    .map((job) => placedJob(worker, job, records.get(job.jobId)));

function refusalIn(error: unknown): HallError {
  if (error instanceof HallError && error.code === "bad_request") return error;
  throw error;
}

const leftOutWords = (count: number): string =>
  count === 1
    ? "What it tells of one of them makes no sense: its id or its status is none."
    : `What it tells of ${count} of them makes no sense: their ids or their statuses are none.`;

async function withinTime<Answer>(work: Promise<Answer>, worker: string, schedule: Schedule): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const cancel = schedule(patienceMs, () =>
    late.reject(new HallError("tool_timeout", `${worker} has not told its jobs within ${patienceMs / 1000} s.`)),
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}
