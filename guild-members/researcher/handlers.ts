import { z } from "zod";
import { listArtifacts, readArtifact } from "./artifacts.ts";
import { compileGlob, maxPatternLength } from "./glob.ts";
import type { JobStore, KnownJob } from "./job-store.ts";
import { badParams, unknownJob, wrongState } from "./rpc-error.ts";
import type { RunQueue } from "./run-queue.ts";
import { JobConfig } from "./settings.ts";
import { readEvents } from "./timeline.ts";

/** A method of the protocol. It checks its parameters itself. */
export type Method = (params: unknown) => Promise<object>;

export type HandlerParts = {
  store: JobStore;
  queue: RunQueue;
  /** What whoever dispatches a job should know at once, and sees for as long as it runs. */
  notice: string | null;
  /** Removes what is kept of a job outside of its folder. */
  forget(jobId: string): Promise<void>;
};

/** The six methods of `worker/*`, and the two that this worker adds. */
export function createHandlers({ store, queue, notice, forget }: HandlerParts): Record<`worker/${string}`, Method> {
  function jobOf(jobId: string): KnownJob {
    const job = store.find(jobId);
    if (job === undefined) throw unknownJob(jobId);
    return job;
  }

  return {
    "worker/dispatch": method(Dispatch, async ({ description, task, config }) => {
      const jobId = await store.create(description, task, config, notice);
      queue.add(jobId);
      return { jobId };
    }),

    "worker/list": method(List, async ({ detail, filter }) => {
      const matches = filter === undefined ? () => true : compileGlob(filter);
      const jobs = store.list().filter(({ meta }) => matches(meta.description));
      if (detail === "simple") return { jobs: jobs.map(({ meta }) => ({ jobId: meta.id, status: meta.status })) };
      const waiting = queue.waiting();
      return { jobs: jobs.map((job) => brief(entryOf(job, waiting, notice))) };
    }),

    "worker/status": method(OneJob, async ({ jobId }) => {
      const job = jobOf(jobId);
      const { files } = store;
      const problems = job.meta.error === null ? [] : [job.meta.error];
      // People may edit these files. One that they broke is told of, and the others are shown all the same.
      const read = <Content>(reading: Promise<Content>, otherwise: Content): Promise<Content> =>
        reading.catch((problem: unknown) => {
          problems.push(problem instanceof Error ? problem.message : String(problem));
          return otherwise;
        });
      const [questions, decisions, task, config] = await Promise.all([
        read(files.readQuestions(jobId), []),
        read(files.readDecisions(jobId), []),
        read(files.readTask(jobId), ""),
        read(files.readConfig(jobId), {}),
      ]);
      const error = problems.length === 0 ? null : problems.join(" ");
      return { ...entryOf(job, queue.waiting(), notice), questions: orNull(questions), decisions: orNull(decisions), error, task, config };
    }),

    "worker/result": method(OneJob, async ({ jobId }) => {
      const { meta } = jobOf(jobId);
      if (meta.status !== "completed")
        throw wrongState(`Job ${jobId} is ${meta.status}, so it has no result${meta.status === "running" ? " yet" : ""}.`);
      const output = await store.files.readResult(jobId);
      if (output === null) throw wrongState(`The result of job ${jobId} is missing: somebody removed result.md.`);
      // A result has words when it is submitted.
      if (output.trim() === "") throw wrongState(`The result of job ${jobId} is lost: result.md is empty.`);
      return { jobId, output, artifacts: meta.artifacts ?? orNull(await listArtifacts(store.files.folder(jobId))) };
    }),

    "worker/cancel": method(OneJob, async ({ jobId }) => {
      const { meta } = jobOf(jobId);
      if (meta.status === "running") await queue.cancel(jobId);
      return { jobId, status: store.find(jobId)?.meta.status ?? "cancelled" };
    }),

    "worker/delete": method(OneJob, async ({ jobId }) => {
      const { status } = jobOf(jobId).meta;
      if (status === "running") throw wrongState(`Job ${jobId} is running and cannot be deleted. Cancel it first.`);
      if (status === "failed") throw wrongState(`Job ${jobId} failed and is kept, so that its reason can be found. It cannot be deleted.`);
      await queue.settled(jobId);
      await forget(jobId);
      await store.remove(jobId);
      return { jobId, deleted: true };
    }),

    "worker/events": method(Events, async ({ jobId, after }) => {
      jobOf(jobId);
      return { jobId, ...(await readEvents(store.files.timeline(jobId), after)) };
    }),

    "worker/artifact": method(Artifact, async ({ jobId, path }) => {
      jobOf(jobId);
      const bytes = await readArtifact(store.files.folder(jobId), path).catch((error: unknown) => {
        throw badParams(error instanceof Error ? error.message : String(error));
      });
      if (bytes === null) throw badParams(`Job ${jobId} has no artifact ${path}.`);
      return { jobId, path, size: bytes.length, data: bytes.toString("base64") };
    }),
  };
}

const words = (what: string, longest: number): z.ZodString =>
  z.string(`must be ${what}`).trim().min(1, `must be ${what}`).max(longest, `must have at most ${longest} characters`);

const Dispatch = z.object({
  description: words("a few words that say what the job is", 500),
  task: words("what the worker is to do", 500_000),
  config: JobConfig.default({}),
});

const List = z.object({
  detail: z.enum(["simple", "detailed"], 'must be "simple" or "detailed"').default("simple"),
  filter: z.string().max(maxPatternLength, `must have at most ${maxPatternLength} characters`).optional(),
});

const jobId = z.string("must be the id of a job");
const OneJob = z.object({ jobId });
const Events = z.object({ jobId, after: z.int("must be the id of an event").min(0).default(0) });
const Artifact = z.object({ jobId, path: z.string("must be the path of an artifact").max(2000) });

function method<Params>(params: z.ZodType<Params>, answer: (params: Params) => Promise<object>): Method {
  return async (given) => {
    const checked = params.safeParse(given ?? {});
    if (!checked.success) throw badParams(checked.error.issues.map(describeIssue).join(" "));
    return answer(checked.data);
  };
}

function describeIssue({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? `The parameters do not fit: ${message}.` : `${path.join(".")}: ${message}.`;
}

function entryOf({ meta, summary }: KnownJob, waiting: ReadonlyMap<string, string>, notice: string | null) {
  const { id, status, description, startedAt, completedAt, openQuestions, usage } = meta;
  const said = [waiting.get(id) ?? summary, status === "running" ? notice : null].filter((words) => words !== null).join(" ");
  return { jobId: id, status, description, summary: said || null, startedAt, completedAt, openQuestions, usage };
}

/** Lists are long and asked for often; the whole summary is in the status. */
const maxListedSummary = 300;

function brief<Entry extends { summary: string | null }>(entry: Entry): Entry {
  const { summary } = entry;
  return summary === null || summary.length <= maxListedSummary ? entry : { ...entry, summary: `${summary.slice(0, maxListedSummary)}…` };
}

const orNull = <Item>(list: Item[]): Item[] | null => (list.length === 0 ? null : list);
