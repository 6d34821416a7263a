import { z } from "zod";
import type { JobListQuery } from "../../core/jobs/job-page.ts";
import type { Jobs } from "../../core/jobs/jobs.ts";
import { settingsOfPersons } from "../../core/roster/settings-of-persons.ts";
import { ArtifactPath } from "../../schema/artifact.ts";
import { MemberName } from "../../schema/ids.ts";
import type { JobRunId } from "../../schema/ids.ts";
import {
  AnswerQuestion,
  Answered,
  CancelledJob,
  DeletedJob,
  DismissQuestion,
  DispatchJob,
  Dispatched,
  Job,
  JobDetail,
  JobEvents,
  JobId,
  JobList,
  JobStatus,
  WorkerResult,
} from "../../schema/job.ts";
import { JobStreamEvent } from "../../schema/job-stream.ts";
import { PageQuery } from "../../schema/page.ts";
import { personRequired } from "../../schema/person-required.ts";
import type { EventStreams } from "../event-streams.ts";
import { artifactResponse } from "./artifact-response.ts";
import { openBytes } from "./open-bytes.ts";
import { defineRoute } from "./route.ts";
import type { Route } from "./route.ts";
import { someOf } from "./some-of.ts";

const OneWorker = z.object({ worker: MemberName.describe("the name of a guild member that takes jobs") });
const OneJob = OneWorker.extend({ jobId: JobId.describe("the id that its worker gave the job") });
const OneArtifact = OneJob.extend({ path: ArtifactPath.describe("where the file lies in the job, as its result and its events say") });

const flag = z
  .enum(["true", "false"], "must be true or false")
  .transform((text) => text === "true")
  .optional();
const ListQuery = PageQuery.extend({
  worker: MemberName.optional().describe("only those of this worker"),
  status: someOf(JobStatus),
  filter: z
    .string()
    .min(1, "must not be empty")
    .max(1000, "must have at most 1000 characters")
    .optional()
    .describe("only those whose description fits this glob, such as `*tides*`"),
  needsYou: flag.describe("only those with questions that nobody has answered, or only those without"),
  hidden: flag.describe("`true` lists those too that a person has hidden"),
});
const EventsQuery = z.object({
  after: z.coerce.number("must be the id of an event").int().nonnegative().default(0).describe("the `id` of the last event that is known"),
});

/** A worker is a program of its own: it may not be there, not take jobs, refuse, fail or be silent. */
const ofWorkers = ["not_found", "conflict", "member_unavailable", "member_failed", "tool_timeout"] as const;

export type JobDeps = {
  startRun: (worker: string, task: string) => Promise<{ id: JobRunId }>;
  isHallWorker: (name: string) => Promise<boolean>;
  jobs: Jobs;
  streams: EventStreams;
  mimeTypeOf: (name: string) => string;
};

export function jobRoutes({ jobs, streams, mimeTypeOf, startRun, isHallWorker }: JobDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/jobs",
      summary: "The jobs of all workers, newest first; `filter` is a glob over descriptions",
      query: ListQuery,
      answer: { status: 200, schema: JobList },
      handle: ({ query }) => jobs.list(query satisfies JobListQuery),
    }),
    defineRoute({
      method: "POST",
      path: "/api/workers/{worker}/jobs",
      summary: "Give a job to a worker; it answers at once and works afterwards. Its limits, model and reach need the person's key",
      params: OneWorker,
      body: DispatchJob,
      answer: { status: 201, schema: Dispatched },
      errors: [...ofWorkers, "person_required"],
      async handle({ params: { worker }, body, isPerson }) {
        const isOfHall = await isHallWorker(worker);
        if (!isPerson && (isOfHall || settingsOfPersons(body.config ?? {}).length > 0)) throw personRequired();
        return isOfHall ? { jobId: JobId.parse((await startRun(worker, body.task)).id) } : jobs.dispatch(worker, body);
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/workers/{worker}/jobs/{jobId}",
      summary: "How a job stands: progress, questions with their answers, decisions, error",
      params: OneJob,
      answer: { status: 200, schema: JobDetail },
      errors: ofWorkers,
      handle: ({ params }) => jobs.get(params.worker, params.jobId),
    }),
    defineRoute({
      method: "GET",
      path: "/api/workers/{worker}/jobs/{jobId}/result",
      summary: "The result of a job that is completed",
      params: OneJob,
      answer: { status: 200, schema: WorkerResult },
      errors: ofWorkers,
      handle: ({ params }) => jobs.result(params.worker, params.jobId),
    }),
    defineRoute({
      method: "GET",
      path: "/api/workers/{worker}/jobs/{jobId}/events",
      summary: "What happened in a job after an event, by page; as `text/event-stream`, until the job ends",
      params: OneJob,
      query: EventsQuery,
      headers: {
        "Last-Event-ID": "of a stream: the `id` of the last event that was received; the later of this and `after` counts",
      },
      answer: { status: 200, schema: JobEvents, stream: JobStreamEvent },
      errors: ofWorkers,
      handle: async ({ params: { worker, jobId }, query, request }) => {
        if (request.headers.get("accept")?.includes("text/event-stream") !== true) return jobs.events(worker, jobId, query.after);
        const { data: last } = EventsQuery.shape.after.safeParse(request.headers.get("last-event-id") ?? undefined);
        const leaveLimit = streams.enter();
        const reading = new AbortController();
        const leave = () => {
          leaveLimit();
          reading.abort();
        };
        const from = { after: Math.max(query.after, last ?? 0), signal: reading.signal };
        const events = await jobs.follow(worker, jobId, from).catch((error: unknown) => {
          leave();
          throw error;
        });
        return streams.respond(events, leave);
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/workers/{worker}/jobs/{jobId}/artifacts/{path}",
      summary: "A file that a job made, to be saved and never to be run; takes a Range",
      params: OneArtifact,
      headers: { Range: "one part of the file, as `bytes=0-1023`: answered with 206" },
      answer: { status: 200, contentType: "application/octet-stream" },
      errors: ofWorkers,
      handle: async ({ params: { worker, jobId, path }, request }) => {
        const { data } = await jobs.artifact(worker, jobId, path);
        return artifactResponse(openBytes({ path, mimeType: mimeTypeOf(path), bytes: Buffer.from(data, "base64") }), request);
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/workers/{worker}/jobs/{jobId}/cancel",
      summary: "End a job that runs; one that has ended tells its status",
      params: OneJob,
      answer: { status: 200, schema: CancelledJob },
      errors: ofWorkers,
      handle: ({ params }) => jobs.cancel(params.worker, params.jobId),
    }),
    defineRoute({
      method: "POST",
      path: "/api/workers/{worker}/jobs/{jobId}/answer",
      summary: "Answer a question of a job: a follow-up that carries question and answer is dispatched, once",
      params: OneJob,
      body: AnswerQuestion,
      answer: { status: 200, schema: Answered },
      errors: ofWorkers,
      handle: ({ params, body }) => jobs.answer(params.worker, params.jobId, body),
    }),
    defineRoute({
      method: "POST",
      path: "/api/workers/{worker}/jobs/{jobId}/dismiss",
      summary: "Say that a question of a job needs no answer",
      params: OneJob,
      body: DismissQuestion,
      answer: { status: 200, schema: Job },
      errors: ofWorkers,
      handle: ({ params, body }) => jobs.dismiss(params.worker, params.jobId, body.question),
    }),
    defineRoute({
      method: "POST",
      path: "/api/workers/{worker}/jobs/{jobId}/hide",
      summary: "Take a job that failed out of lists",
      params: OneJob,
      answer: { status: 200, schema: Job },
      errors: ofWorkers,
      handle: ({ params }) => jobs.hide(params.worker, params.jobId),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/workers/{worker}/jobs/{jobId}/hide",
      summary: "Put a hidden job back into lists",
      params: OneJob,
      answer: { status: 200, schema: Job },
      errors: ofWorkers,
      handle: ({ params }) => jobs.show(params.worker, params.jobId),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/workers/{worker}/jobs/{jobId}",
      summary: "Delete a job that is completed or cancelled, with all it made",
      params: OneJob,
      answer: { status: 200, schema: DeletedJob },
      errors: ofWorkers,
      handle: ({ params }) => jobs.remove(params.worker, params.jobId),
    }),
  ];
}
