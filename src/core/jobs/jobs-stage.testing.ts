import type { HallEvent } from "../../schema/hall-event.ts";
import { MemberName } from "../../schema/ids.ts";
import { JobId } from "../../schema/job.ts";
import type { DispatchJob, JobEvent, WorkerJob, WorkerStatus } from "../../schema/job.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { WorkerHandle } from "../worker/worker-handle.ts";
import type { JobChange } from "../worker/workers.ts";
import { emptyRecord } from "./job-records.ts";
import type { JobRecord } from "./job-records.ts";
import { createJobs } from "./jobs.ts";

export type StageJob = WorkerStatus & { output?: string; events?: readonly JobEvent[] };

export type StageWorker = {
  name: MemberName;
  jobs: Map<string, StageJob>;
  /** Every request, by method. */
  asked: string[];
  dispatched: DispatchJob[];
  missing: string | null;
  /** What its lists leave out: a worker that knows only what the protocol demands tells no times and no questions. */
  isTerse: boolean;
  /** Whoever asks for its jobs is answered when this resolves, with what they were when they were asked for. */
  mayAnswer: Promise<void>;
  /** Of how many jobs its lists tell nothing that makes sense. */
  leftOut: number;
  /** Thrown by every request, once set. */
  failure: HallError | null;
  /** Thrown by filters, while set. */
  filterRefusal: HallError | null;
  /** Thrown by dispatches, while set. */
  refusal: HallError | null;
  /** Thrown by dispatches that were taken all the same, while set. */
  lateness: HallError | null;
  put(job: Partial<Omit<StageJob, "jobId">> & { jobId: string }): void;
};

/** The jobs of workers in memory, with a clock that the test moves. */
export function setJobsStage(...names: string[]) {
  const workers = names.map(createStageWorker);
  const events: Extract<HallEvent, { event: "job" }>["data"][] = [];
  const timers = new Set<{ at: number; work: () => void }>();
  const stored = new Map<string, Map<string, JobRecord>>();
  const stage = { isHeard: false, failRecords: null as HallError | null };
  let clock = Date.parse("2026-01-01T00:00:00.000Z");
  let tellJob: (change: JobChange) => void = () => undefined;
  let tellComing: (name: string) => void = () => undefined;

  const mustFind = (name: string): StageWorker => {
    const found = workers.find((worker) => worker.name === name);
    if (found === undefined) throw new HallError("not_found", `There is no member "${name}".`);
    return found;
  };
  const recordsOf = (worker: string) => stored.get(worker) ?? new Map<string, JobRecord>();

  const get = (name: string): WorkerHandle =>
    handleOf(
      mustFind(name),
      (change) => tellJob(change),
      () => clock,
    );
  const jobs = createJobs({
    workers: {
      list: () => workers.map(({ name, missing }) => ({ name, missing })),
      get,
      onJob: (listen) => (tellJob = listen),
      onComingAndGoing: (listen) => (tellComing = listen),
    },
    records: {
      all: async (worker) => recordsOf(worker),
      async change(worker, jobId, change) {
        if (stage.failRecords !== null) throw stage.failRecords;
        stored.set(worker, new Map([...recordsOf(worker), [jobId, change(recordsOf(worker).get(jobId) ?? emptyRecord)]]));
      },
      forget: async (worker, jobId) => void recordsOf(worker).delete(jobId),
    },
    publish: (event) => event.event === "job" && events.push(event.data),
    isHeard: () => stage.isHeard,
    schedule(ms, work) {
      const timer = { at: clock + ms, work };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    now: () => clock,
    onProblem: (error) => {
      throw error;
    },
  });

  const worker = (name: string) => mustFind(name);
  return {
    jobs,
    stage,
    worker,
    events,
    recordsOf,
    /** As an earlier life of the hall left it. */
    putRecord: (name: string, jobId: string, record: JobRecord) => stored.set(name, new Map([...recordsOf(name), [jobId, record]])),
    timers,
    tellComing: (name: string) => tellComing(name),
    /** Through the Roster, as an agent does: nobody asks `jobs`. */
    deleteAsAgent: (name: string, jobId: JobId) => get(name).delete(jobId),
    settle,
    async pass(ms: number): Promise<void> {
      await settle();
      const until = clock + ms;
      for (;;) {
        const next = [...timers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        clock = Math.max(clock, next.at);
        timers.delete(next);
        next.work();
        await settle();
      }
      clock = until;
    },
  };
}

const settle = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 0));

function createStageWorker(name: string): StageWorker {
  const worker: StageWorker = {
    name: MemberName.parse(name),
    jobs: new Map(),
    asked: [],
    dispatched: [],
    missing: null,
    isTerse: false,
    mayAnswer: Promise.resolve(),
    leftOut: 0,
    failure: null,
    filterRefusal: null,
    refusal: null,
    lateness: null,
    put: (job) =>
      void worker.jobs.set(job.jobId, { ...(worker.jobs.get(job.jobId) ?? newJob(job.jobId)), ...job, jobId: JobId.parse(job.jobId) }),
  };
  return worker;
}

const newJob = (jobId: string): StageJob => ({
  jobId: JobId.parse(jobId),
  status: "running",
  description: `Job ${jobId}`,
  summary: null,
  questions: null,
  decisions: null,
  error: null,
  startedAt: "2026-01-01T00:00:00.000Z",
  completedAt: null,
});

/** Small, so that a test comes to the second page. */
const eventsOfPage = 2;

function handleOf(worker: StageWorker, tell: (change: JobChange) => void, now: () => number): WorkerHandle {
  function ask(method: string): void {
    worker.asked.push(method);
    if (worker.failure !== null) throw worker.failure;
  }
  function find(method: string, jobId: JobId): StageJob {
    ask(method);
    const job = worker.jobs.get(jobId);
    if (job === undefined) throw new HallError("not_found", `There is no job ${jobId}.`);
    return job;
  }
  const unused = () => Promise.reject(new Error("No test here asks for it."));
  return {
    async dispatch(job) {
      ask("dispatch");
      if (worker.refusal !== null) throw worker.refusal;
      worker.dispatched.push(job);
      const jobId = JobId.parse(`new-${worker.dispatched.length}`);
      worker.put({ jobId, ...job, startedAt: new Date(now()).toISOString() });
      if (worker.lateness !== null) throw worker.lateness;
      tell({ worker: worker.name, jobId, status: "running" });
      return { jobId };
    },
    async list() {
      ask("list");
      const jobs = Array.from(worker.jobs.values(), (job) => listed(job, worker.isTerse));
      await worker.mayAnswer;
      return { jobs, leftOut: worker.leftOut };
    },
    async find(filter) {
      ask("find");
      if (worker.filterRefusal !== null) throw worker.filterRefusal;
      return new Set(
        worker.jobs
          .values()
          .filter(({ description }) => description.includes(filter))
          .map(({ jobId }) => jobId),
      );
    },
    status: async (jobId) => find("status", jobId),
    result: async (jobId) => ({ jobId, output: find("result", jobId).output ?? "", artifacts: null }),
    cancel: unused,
    async delete(jobId) {
      find("delete", jobId);
      worker.jobs.delete(jobId);
      tell({ worker: worker.name, jobId, status: null });
      return { jobId, deleted: true };
    },
    async events(jobId, after) {
      const later = (find("events", jobId).events ?? []).filter(({ id }) => id > after);
      return { jobId, events: later.slice(0, eventsOfPage), hasMore: later.length > eventsOfPage };
    },
    artifact: unused,
    offers: () => ({ events: true, artifacts: false }),
  };
}

function listed({ jobId, status, description, summary, startedAt, completedAt, questions, usage }: StageJob, isTerse: boolean): WorkerJob {
  const few = { jobId, status, description, summary };
  return isTerse ? few : { ...few, startedAt, completedAt, usage: usage ?? null, openQuestions: questions?.length ?? 0 };
}
