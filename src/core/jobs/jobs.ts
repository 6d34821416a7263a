import { HallError } from "../../schema/hall-error.ts";
import type { HallEvent } from "../../schema/hall-event.ts";
import type { MemberName } from "../../schema/ids.ts";
import type { AnswerQuestion, DispatchJob, Job, JobDetail, JobId, JobStatus, WorkerStatus } from "../../schema/job.ts";
import { createTurns } from "../in-turn.ts";
import type { Schedule } from "../schedule.ts";
import type { Workers } from "../worker/workers.ts";
import { answerQuestion } from "./answer-question.ts";
import { askedQuestions, timesAsked } from "./asked-questions.ts";
import { followJob } from "./follow-job.ts";
import { placedJob } from "./job-page.ts";
import { emptyRecord } from "./job-records.ts";
import type { JobRecord, JobRecords } from "./job-records.ts";
import { createJobLister } from "./list-jobs.ts";
import { watchJobs } from "./watch-jobs.ts";
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

/** The jobs of all workers in one place. What they are, only their workers know: the hall asks, and keeps what people say about them. */
export function createJobs(deps: JobsDeps) {
  const { workers, records, publish, schedule, now, onProblem } = deps;
  const views = new Map<MemberName, WorkerView>();
  const inTurn = createTurns<string>();

  function viewOf(worker: MemberName): WorkerView {
    const view = views.get(worker) ?? createWorkerView({ worker, handle: () => workers.get(worker), now, publish });
    views.set(worker, view);
    return view;
  }
  const tell = (worker: MemberName, jobId: JobId, status: JobStatus | null): void =>
    publish({ event: "job", data: { id: `${worker}/${jobId}`, status } });

  const connected = (): MemberName[] => workers.list().flatMap(({ name, missing }) => (missing === null ? [name] : []));
  async function look(worker: MemberName): Promise<boolean> {
    const { refresh, isRunning } = viewOf(worker);
    // One that cannot be asked is told of where somebody asks for its jobs.
    return refresh().then(isRunning, isRunning);
  }
  const watch = watchJobs({ ...deps, connected, look });
  workers.onComingAndGoing((name) => {
    const come = connected().find((each) => each === name);
    if (come !== undefined) watch.wake(come);
  });
  workers.onJob(({ worker, jobId, status }) => {
    viewOf(worker).expire();
    // Whoever deleted it: an agent may have, without the hall being asked.
    if (status === null) records.forget(worker, jobId).catch(onProblem);
    tell(worker, jobId, status);
    watch.wake(worker);
  });

  const recordOf = async (worker: MemberName, jobId: JobId): Promise<JobRecord> => (await records.all(worker)).get(jobId) ?? emptyRecord;

  /** Keeps what a person says about a job, and tells everybody who looks at it. */
  async function note(worker: MemberName, job: WorkerStatus, change: (record: JobRecord) => JobRecord): Promise<Job> {
    await records.change(worker, job.jobId, change);
    tell(worker, job.jobId, job.status);
    return jobOf(worker, job, await recordOf(worker, job.jobId));
  }

  async function setHidden(worker: MemberName, jobId: JobId, hidden: boolean): Promise<Job> {
    const job = await workers.get(worker).status(jobId);
    if (hidden && job.status !== "failed")
      throw new HallError(
        "conflict",
        `Job ${jobId} of ${worker} is ${job.status}. Only a job that failed can be hidden; others can be deleted.`,
      );
    return note(worker, job, (record) => ({ ...record, hidden }));
  }

  return {
    /** Somebody begins to listen to what is new. */
    wake: watch.begin,
    close: watch.close,

    list: createJobLister({ workers, records, viewOf, schedule }),

    dispatch: async (worker: MemberName, job: DispatchJob) => workers.get(worker).dispatch(job),

    async get(worker: MemberName, jobId: JobId): Promise<JobDetail> {
      const handle = workers.get(worker);
      const job = await handle.status(jobId);
      const record = await recordOf(worker, jobId);
      const { hidden, openQuestions } = jobOf(worker, job, record);
      return { ...job, worker, hidden, openQuestions, asked: askedQuestions(job, record), offers: handle.offers() };
    },

    result: async (worker: MemberName, jobId: JobId) => workers.get(worker).result(jobId),
    events: async (worker: MemberName, jobId: JobId, after: number) => workers.get(worker).events(jobId, after),
    artifact: async (worker: MemberName, jobId: JobId, path: string) => workers.get(worker).artifact(jobId, path),

    /** Refuses what cannot be followed before anything is streamed. The worker is asked nothing more once the signal is aborted. */
    async follow(worker: MemberName, jobId: JobId, { after, signal }: { after: number; signal: AbortSignal }) {
      await workers.get(worker).events(jobId, after, signal);
      return followJob({ handle: () => workers.get(worker), jobId, after, signal, pause: pauseWith(schedule) });
    },

    cancel: async (worker: MemberName, jobId: JobId) => workers.get(worker).cancel(jobId),

    /** Ends the jobs of every worker that can be asked. Returns how many ran. */
    async cancelAll(): Promise<number> {
      const running = await Promise.all(
        connected().map(async (worker) => {
          const { jobs } = await workers.get(worker).list();
          return jobs.filter(({ status }) => status === "running").map(({ jobId }) => ({ worker, jobId }));
        }),
      );
      await Promise.all(running.flat().map(({ worker, jobId }) => workers.get(worker).cancel(jobId)));
      return running.flat().length;
    },

    async remove(worker: MemberName, jobId: JobId) {
      const deleted = await workers.get(worker).delete(jobId);
      await records.forget(worker, jobId);
      return deleted;
    },

    answer: (worker: MemberName, jobId: JobId, answer: AnswerQuestion) =>
      inTurn(`${worker}/${jobId}`, async () => {
        const answered = await answerQuestion({ ...answer, worker, jobId, handle: workers.get(worker), records, now });
        const { status } = await workers.get(worker).status(jobId);
        tell(worker, jobId, status);
        return answered;
      }),

    /** A person has settled a question otherwise, or wants no answer to it. */
    dismiss: (worker: MemberName, jobId: JobId, question: string): Promise<Job> =>
      inTurn(`${worker}/${jobId}`, async () => {
        const job = await workers.get(worker).status(jobId);
        const dismissed = { question, at: new Date(now()).toISOString(), times: timesAsked(job, question, worker) };
        return note(worker, job, (record) => ({
          ...record,
          dismissed: [...record.dismissed.filter((each) => each.question !== question), dismissed],
        }));
      }),

    hide: (worker: MemberName, jobId: JobId) => setHidden(worker, jobId, true),
    show: (worker: MemberName, jobId: JobId) => setHidden(worker, jobId, false),
  };
}

function jobOf(worker: MemberName, status: WorkerStatus, record: JobRecord): Job {
  const asked = status.openQuestions ?? status.questions?.length ?? 0;
  const { at: _at, ...job } = placedJob(worker, { ...status, openQuestions: asked, at: 0 }, record);
  return job;
}

const pauseWith =
  (schedule: Schedule) =>
  (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const cancel = schedule(ms, done);
      function done(): void {
        cancel();
        signal.removeEventListener("abort", done);
        resolve();
      }
      signal.addEventListener("abort", done, { once: true });
      if (signal.aborted) done();
    });
