import { z } from "zod";
import { MemberName } from "./ids.ts";

/** A worker chooses its ids; they must be safe as names of files. The bundled worker uses UUIDs. */
export const JobId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, "must be 1 to 128 letters, digits, dots, dashes and underscores")
  .brand<"JobId">();
export type JobId = z.infer<typeof JobId>;

/** The seed has four: a job that waits for its turn runs, and its summary says so. */
export const JobStatus = z.enum(["running", "completed", "failed", "cancelled"]);
export type JobStatus = z.infer<typeof JobStatus>;

export const JobUsage = z.object({
  turns: z.number(),
  costUsd: z.number(),
  maxTurns: z.number().nullable(),
  maxBudgetUsd: z.number().nullable(),
});
export type JobUsage = z.infer<typeof JobUsage>;

export const DispatchJob = z.strictObject({
  description: z.string().trim().min(1, "must say in a few words what the job is").max(500),
  task: z.string().trim().min(1, "must be what the worker is to do").max(500_000),
  config: z.record(z.string(), z.unknown()).optional(),
});
export type DispatchJob = z.infer<typeof DispatchJob>;

export const Dispatched = z.object({ jobId: JobId });

/** An entry of `worker/list` with `detail: "detailed"`; what is optional a worker may leave out. */
export const WorkerJob = z.object({
  jobId: JobId,
  status: JobStatus,
  description: z.string(),
  summary: z.string().nullable(),
  startedAt: z.string().optional(),
  completedAt: z.string().nullable().optional(),
  openQuestions: z.number().int().optional(),
  usage: JobUsage.nullable().optional(),
});
export type WorkerJob = z.infer<typeof WorkerJob>;

export const JobDecision = z.object({ question: z.string(), decision: z.string(), reasoning: z.string() });
export type JobDecision = z.infer<typeof JobDecision>;

/** `worker/status` and what a worker may add to it. */
export const WorkerStatus = z.object({
  jobId: JobId,
  status: JobStatus,
  description: z.string(),
  summary: z.string().nullable(),
  questions: z.array(z.string()).nullable(),
  decisions: z.array(JobDecision).nullable(),
  error: z.string().nullable(),
  startedAt: z.string(),
  completedAt: z.string().nullable(),
  task: z.string().optional(),
  config: z.record(z.string(), z.unknown()).optional(),
  usage: JobUsage.nullable().optional(),
  openQuestions: z.number().int().optional(),
});
export type WorkerStatus = z.infer<typeof WorkerStatus>;

/** `worker/result`. */
export const WorkerResult = z.object({ jobId: JobId, output: z.string(), artifacts: z.array(z.string()).nullable() });
export type WorkerResult = z.infer<typeof WorkerResult>;

export const CancelledJob = z.object({ jobId: JobId, status: JobStatus });
export const DeletedJob = z.object({ jobId: JobId, deleted: z.literal(true) });

const told = { id: z.number().int(), at: z.string() };

/** What happened in a job, oldest first: its timeline and its transcript in one. Ids rise; `worker/events { after }` gives what came later. */
export const JobEvent = z.discriminatedUnion("type", [
  z.object({ ...told, type: z.literal("status"), status: JobStatus, text: z.string() }),
  z.object({ ...told, type: z.literal("progress"), summary: z.string() }),
  z.object({ ...told, type: z.literal("question"), question: z.string() }),
  z.object({ ...told, type: z.literal("decision"), ...JobDecision.shape }),
  z.object({ ...told, type: z.literal("artifact"), path: z.string(), size: z.number().int() }),
  z.object({ ...told, type: z.literal("memory"), key: z.string() }),
  z.object({ ...told, type: z.literal("text"), text: z.string() }),
  z.object({ ...told, type: z.literal("tool_use"), toolUseId: z.string(), name: z.string(), input: z.unknown() }),
  z.object({ ...told, type: z.literal("tool_result"), toolUseId: z.string(), text: z.string(), isError: z.boolean() }),
]);
export type JobEvent = z.infer<typeof JobEvent>;

/** `worker/events`: at most so many at once; ask again with the last id while `hasMore`. */
export const JobEvents = z.object({ jobId: JobId, events: z.array(JobEvent), hasMore: z.boolean() });
export type JobEvents = z.infer<typeof JobEvents>;

/** `worker/artifact`: one file, its bytes in base64. */
export const JobArtifact = z.object({ jobId: JobId, path: z.string(), size: z.number().int(), data: z.string() });
export type JobArtifact = z.infer<typeof JobArtifact>;

/** A job as the hall lists it: of which worker, and what the hall itself knows of it. */
export const Job = z.object({
  worker: MemberName,
  jobId: JobId,
  status: JobStatus,
  description: z.string(),
  summary: z.string().nullable(),
  startedAt: z.string().nullable(),
  completedAt: z.string().nullable(),
  /** Questions that nobody has answered yet. */
  openQuestions: z.number().int(),
  usage: JobUsage.nullable(),
  /** A person does not want to see it any more; only of jobs that failed. */
  hidden: z.boolean(),
});
export type Job = z.infer<typeof Job>;

export const JobList = z.object({
  jobs: z.array(Job),
  nextCursor: z.string().nullable(),
  /** Of all jobs that are not hidden of the workers that were asked for, whatever else was asked for. `needsYou` counts questions, the others jobs. */
  counts: z.object({ running: z.number(), completed: z.number(), failed: z.number(), cancelled: z.number(), needsYou: z.number() }),
  /** Workers of which all or some jobs are not listed, each with the reason in words. */
  missing: z.array(z.object({ worker: MemberName, jobs: z.enum(["all", "some"]), reason: z.string() })),
});
export type JobList = z.infer<typeof JobList>;

export const JobQuestion = z.object({
  question: z.string(),
  /** Whether it waits for a person. So does one whose answer is kept and was never dispatched. */
  isOpen: z.boolean(),
  /** Null until a person answered it; `followUp` is null until the job is dispatched that carries the answer. */
  answer: z.object({ text: z.string(), at: z.string(), followUp: JobId.nullable() }).nullable(),
  /** When a person said that it needs no answer. */
  dismissedAt: z.string().nullable(),
});
export type JobQuestion = z.infer<typeof JobQuestion>;

/** One job, with all that its worker tells and what the hall knows. */
export const JobDetail = z.object({
  ...WorkerStatus.shape,
  worker: MemberName,
  hidden: z.boolean(),
  /** The questions of the worker with the answers that people gave. */
  asked: z.array(JobQuestion),
  /** What the worker offers beyond the six methods. */
  offers: z.object({ events: z.boolean(), artifacts: z.boolean() }),
});
export type JobDetail = z.infer<typeof JobDetail>;

export const AnswerQuestion = z.strictObject({ question: z.string().min(1), answer: z.string().trim().min(1).max(100_000) });
export type AnswerQuestion = z.infer<typeof AnswerQuestion>;

export const DismissQuestion = AnswerQuestion.pick({ question: true });
export type DismissQuestion = z.infer<typeof DismissQuestion>;

export const Answered = z.object({ jobId: JobId, followUp: JobId });
