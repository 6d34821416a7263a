import { HallError } from "../../schema/hall-error.ts";
import type { HallEvent } from "../../schema/hall-event.ts";
import type { MemberName } from "../../schema/ids.ts";
import type { AnswerQuestion, DispatchJob, Job, JobDetail, JobId, JobList, WorkerStatus } from "../../schema/job.ts";
import { createTurns } from "../in-turn.ts";
import type { Workers } from "../worker/workers.ts";
import { answerQuestion } from "./answer-question.ts";
import { followJob } from "./follow-job.ts";
import { countsOf, pageOf, placedJob } from "./job-page.ts";
import type { JobListQuery } from "./job-page.ts";
import { emptyRecord } from "./job-records.ts";
import type { JobRecord, JobRecords } from "./job-records.ts";
import { watchJobs } from "./watch-jobs.ts";
import type { Schedule } from "./watch-jobs.ts";
import { createWorkerView } from "./worker-view.ts";
import type { WorkerView } from "./worker-view.ts";

export type JobsDeps = {
  workers: Workers;
  records: JobRecords;
  publish: (event: HallEvent) => void;
  /** Whether anybody would learn of what is published. */
  isHeard: () => boolean;
  schedule: Schedule;
  now: () => number;
  onProblem: (error: unknown) => void;
};

export type Jobs = ReturnType<typeof createJobs>;

/** How long a list waits for a worker. It is shown without those that take longer. */
const patienceMs = 5000;

/** The jobs of all workers in one place. What they are, only their workers know: the hall asks, and keeps what people say about them. */
export function createJobs(deps: JobsDeps) {
  const { workers, records, publish, schedule, now } = deps;
  const views = new Map<MemberName, WorkerView>();
  const inTurn = createTurns<string>();

  function viewOf(worker: MemberName): WorkerView {
    const view = views.get(worker) ?? createWorkerView({ worker, handle: () => workers.get(worker), now, publish });
    views.set(worker, view);
    return view;
  }

  const watch = watchJobs({ ...deps, look: lookAtAll });
  workers.onComingAndGoing((name) => {
    if (connected().some((each) => each === name)) watch.wake();
  });
  workers.onJob(({ worker, jobId, status }) => {
    viewOf(worker).expire();
    publish({ event: "job", data: { id: `${worker}/${jobId}`, status } });
    watch.wake();
  });

  const connected = (): MemberName[] => workers.list().flatMap(({ name, missing }) => (missing === null ? [name] : []));

  async function lookAtAll(): Promise<boolean> {
    // One that cannot be asked is told of where somebody asks for its jobs.
    const looks = connected().map((name) =>
      viewOf(name)
        .refresh()
        .then(viewOf(name).isRunning, () => viewOf(name).isRunning()),
    );
    return (await Promise.all(looks)).includes(true);
  }

  /** The jobs of one worker and those of them that the filter lets through, or the reason why they cannot be told. */
  async function lookAt(worker: MemberName, filter: string | undefined) {
    const looking = Promise.all([
      viewOf(worker).jobs(),
      records.all(worker),
      filter === undefined ? null : workers.get(worker).find(filter),
    ]);
    try {
      const [seen, known, matches] = await withinTime(looking, worker, schedule);
      const jobs = Array.from(seen.values(), (job) => placedJob(worker, job, known.get(job.jobId)));
      return { jobs, matching: matches === null ? jobs : jobs.filter(({ jobId }) => matches.has(jobId)), missing: [] };
    } catch (error) {
      // A glob that is none is the asker's, not the worker's mistake.
      if (!(error instanceof HallError) || error.code === "bad_request") throw error;
      return { jobs: [], matching: [], missing: [{ worker, reason: error.message }] };
    }
  }

  const recordOf = async (worker: MemberName, jobId: JobId): Promise<JobRecord> => (await records.all(worker)).get(jobId) ?? emptyRecord;

  async function setHidden(worker: MemberName, jobId: JobId, hidden: boolean): Promise<Job> {
    const job = await workers.get(worker).status(jobId);
    if (hidden && job.status !== "failed")
      throw new HallError(
        "conflict",
        `Job ${jobId} of ${worker} is ${job.status}. Only a job that failed can be hidden; others can be deleted.`,
      );
    await records.change(worker, jobId, (record) => ({ ...record, hidden }));
    publish({ event: "job", data: { id: `${worker}/${jobId}`, status: job.status } });
    return jobOf(worker, job, await recordOf(worker, jobId));
  }

  return {
    /** Somebody begins to listen to what is new. */
    wake: watch.wake,
    close: watch.close,

    async list(query: JobListQuery): Promise<JobList> {
      const present = workers.list();
      const away = present.flatMap(({ name, missing }) => (missing === null ? [] : [{ worker: name, reason: missing }]));
      const looks = await Promise.all(present.flatMap(({ name, missing }) => (missing === null ? [lookAt(name, query.filter)] : [])));
      return {
        ...pageOf(
          looks.flatMap(({ matching }) => matching),
          query,
        ),
        counts: countsOf(looks.flatMap(({ jobs }) => jobs)),
        missing: [...away, ...looks.flatMap(({ missing }) => missing)],
      };
    },

    dispatch: async (worker: MemberName, job: DispatchJob) => workers.get(worker).dispatch(job),

    async get(worker: MemberName, jobId: JobId): Promise<JobDetail> {
      const handle = workers.get(worker);
      const job = await handle.status(jobId);
      const record = await recordOf(worker, jobId);
      const { hidden, openQuestions } = jobOf(worker, job, record);
      const asked = [...new Set(job.questions)].map((question) => ({ question, answer: answerIn(record, question) }));
      return { ...job, worker, hidden, openQuestions, asked, offers: handle.offers() };
    },

    result: async (worker: MemberName, jobId: JobId) => workers.get(worker).result(jobId),
    events: async (worker: MemberName, jobId: JobId, after: number) => workers.get(worker).events(jobId, after),
    artifact: async (worker: MemberName, jobId: JobId, path: string) => workers.get(worker).artifact(jobId, path),

    /** Refuses what cannot be followed before anything is streamed. */
    async follow(worker: MemberName, jobId: JobId, after: number) {
      await workers.get(worker).events(jobId, after);
      const pause = (ms: number) => new Promise<void>((resolve) => void schedule(ms, resolve));
      return followJob({ handle: () => workers.get(worker), jobId, after, pause });
    },

    cancel: async (worker: MemberName, jobId: JobId) => workers.get(worker).cancel(jobId),

    async remove(worker: MemberName, jobId: JobId) {
      const deleted = await workers.get(worker).delete(jobId);
      await records.forget(worker, jobId);
      return deleted;
    },

    answer: (worker: MemberName, jobId: JobId, answer: AnswerQuestion) =>
      inTurn(`${worker}/${jobId}`, async () => {
        const answered = await answerQuestion({ ...answer, worker, jobId, handle: workers.get(worker), records, now });
        const { status } = await workers.get(worker).status(jobId);
        publish({ event: "job", data: { id: `${worker}/${jobId}`, status } });
        return answered;
      }),

    hide: (worker: MemberName, jobId: JobId) => setHidden(worker, jobId, true),
    show: (worker: MemberName, jobId: JobId) => setHidden(worker, jobId, false),
  };
}

const answerIn = ({ answers }: JobRecord, question: string) => {
  const found = answers.find((each) => each.question === question);
  return found === undefined ? null : { text: found.answer, at: found.at, followUp: found.followUp };
};

function jobOf(worker: MemberName, status: WorkerStatus, record: JobRecord): Job {
  const asked = status.openQuestions ?? status.questions?.length ?? 0;
  const { at: _at, ...job } = placedJob(worker, { ...status, openQuestions: asked, at: 0 }, record);
  return job;
}

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
