import type { z } from "zod";
import { Answered, CancelledJob, DeletedJob, Dispatched, Job, JobDetail, JobEvents, JobList, WorkerResult } from "../schema/job.ts";
import type { AnswerQuestion, DispatchJob, JobStatus } from "../schema/job.ts";
import { JobStreamEvent } from "../schema/job-stream.ts";
import type { Streamed, StreamOptions } from "./event-stream.ts";
import type { Sent } from "./session-files.ts";
import { addressPart } from "./address-part.ts";

export type Transport = {
  send: (method: string, path: string, more?: Sent) => Promise<Response>;
  ask: <Answer>(schema: z.ZodType<Answer>, method: string, path: string, more?: Sent) => Promise<Answer>;
  stream: <Event>(schema: z.ZodType<Event>, path: string, options: StreamOptions) => AsyncGenerator<Streamed<Event>>;
  search: (query: Record<string, string | number | boolean | undefined>) => string;
};

export type JobQuery = {
  worker?: string;
  /** One, or any of some. */
  status?: JobStatus | readonly JobStatus[];
  /** A glob over descriptions. */
  filter?: string;
  /** Only those with a question that nobody has answered. */
  needsYou?: boolean;
  /** With those that a person has hidden. */
  hidden?: boolean;
  limit?: number;
  cursor?: string;
};

/** The jobs of all workers. A job is named by its worker and its id. */
export function createJobsClient({ send, ask, stream, search }: Transport) {
  return {
    /** Newest first. */
    list: ({ status, ...query }: JobQuery = {}) =>
      ask(JobList, "GET", `/api/jobs${search({ ...query, status: status === undefined ? undefined : String(status) })}`),
    dispatch: (worker: string, job: DispatchJob) => ask(Dispatched, "POST", jobsPath(worker), { body: job }),
    get: (worker: string, jobId: string) => ask(JobDetail, "GET", jobPath(worker, jobId)),
    result: (worker: string, jobId: string) => ask(WorkerResult, "GET", `${jobPath(worker, jobId)}/result`),
    /** A page of what happened; ask again with the last id while there is more. */
    events: (worker: string, jobId: string, { after }: { after?: number } = {}) =>
      ask(JobEvents, "GET", `${jobPath(worker, jobId)}/events${search({ after })}`),
    /** What happened and what happens, until the job has ended. */
    follow: (worker: string, jobId: string, options: StreamOptions = {}) =>
      stream(JobStreamEvent, `${jobPath(worker, jobId)}/events`, options),
    cancel: (worker: string, jobId: string) => ask(CancelledJob, "POST", `${jobPath(worker, jobId)}/cancel`),
    remove: (worker: string, jobId: string) => ask(DeletedJob, "DELETE", jobPath(worker, jobId)),
    /** Dispatches a follow-up that carries question and answer. The same answer again dispatches nothing. */
    answer: (worker: string, jobId: string, answer: AnswerQuestion) =>
      ask(Answered, "POST", `${jobPath(worker, jobId)}/answer`, { body: answer }),
    /** Says that a question needs no answer. */
    dismiss: (worker: string, jobId: string, question: string) =>
      ask(Job, "POST", `${jobPath(worker, jobId)}/dismiss`, { body: { question } }),
    /** Of a job that failed. */
    hide: (worker: string, jobId: string) => ask(Job, "POST", `${jobPath(worker, jobId)}/hide`),
    show: (worker: string, jobId: string) => ask(Job, "DELETE", `${jobPath(worker, jobId)}/hide`),
    /** Where a page finds a file of a job: as a download, or as the source of a picture. */
    artifactAddress,
    /** With `most`, only so many bytes from its beginning. */
    readArtifact(worker: string, jobId: string, path: string, { most, signal }: { most?: number; signal?: AbortSignal } = {}) {
      return send("GET", artifactAddress(worker, jobId, path), {
        ...(most === undefined ? {} : { headers: { range: `bytes=0-${most - 1}` } }),
        ...(signal === undefined ? {} : { signal }),
      });
    },
  };
}

const jobsPath = (worker: string): string => `/api/workers/${addressPart(worker)}/jobs`;
const jobPath = (worker: string, jobId: string): string => `${jobsPath(worker)}/${addressPart(jobId)}`;

const artifactAddress = (worker: string, jobId: string, path: string): string =>
  `${jobPath(worker, jobId)}/artifacts/${path.split("/").map(addressPart).join("/")}`;
