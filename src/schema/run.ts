import { z } from "zod";
import { AgentProfile } from "./agent-profile.ts";
import { ApprovalId, JobRunId, MessageId, RunId, SdkSessionId, SessionId } from "./ids.ts";
import { WorkerDefinition, WorkerName } from "./worker-definition.ts";

export const RunState = z.enum(["queued", "running", "waiting", "completed", "failed", "cancelled"]);

/** The limits of money and turns: of the run itself, of its session, and of the day. */
export const LimitKind = z.enum(["turns", "run", "session", "day"]);
export type LimitKind = z.infer<typeof LimitKind>;

export const WaitingFor = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("slot"), since: z.string() }),
  z.strictObject({ kind: z.literal("person"), since: z.string(), approvalId: ApprovalId }),
  z.strictObject({ kind: z.literal("child"), since: z.string(), run: JobRunId }),
  /** The provider's usage limit, which resets at a known time. */
  z.strictObject({ kind: z.literal("limit"), since: z.string(), until: z.string() }),
  /** A limit of money or turns, which a person may raise. */
  z.strictObject({ kind: z.literal("budget"), since: z.string(), limit: LimitKind, message: z.string() }),
]);
export type RunState = z.infer<typeof RunState>;
export type WaitingFor = z.infer<typeof WaitingFor>;

export const RunUsage = z.object({ turns: z.number(), inputTokens: z.number(), outputTokens: z.number(), costUsd: z.number() });
export type RunUsage = z.infer<typeof RunUsage>;

/** What the model is told at one time: the task, or what came of the calls that it waited for. */
export const RunPrompt = z.object({ id: z.uuid(), text: z.string(), tells: z.array(z.string()) });
export type RunPrompt = z.infer<typeof RunPrompt>;

const RunModel = z.object({ name: z.string().nullable(), source: z.enum(["worker", "caller", "request", "hall"]) });

/** A run belongs to what it was made for, and its cost and its log with it. */
export const RunOwner = z.object({ kind: z.enum(["session", "meeting", "job", "commission", "upkeep"]), id: z.string() });
export type RunOwner = z.infer<typeof RunOwner>;

/** The record of every run: the whole execution of one activity of one agent, over all its attempts and processes. */
const runRecord = {
  id: RunId,
  owner: RunOwner,
  /** The run whose `worker_call` started this one. */
  parent: JobRunId.nullable(),
  root: RunId,
  /** 0 at the root. */
  depth: z.int(),
  /** Null for the main agent of a session. */
  worker: z.string().nullable(),
  model: RunModel,
  state: RunState,
  waitingFor: WaitingFor.nullable(),
  /** How many processes were started for it. */
  attempt: z.int(),
  /** When its first process was started. */
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  ending: z.object({ code: z.string(), message: z.string() }).nullable(),
};

/** The run of a session's last message. */
export const MessageRunRecord = z.object({
  ...runRecord,
  id: MessageId,
  owner: z.object({ kind: z.literal("session"), id: SessionId }),
  root: MessageId,
  profile: AgentProfile,
  usage: RunUsage,
});
export type MessageRunRecord = z.infer<typeof MessageRunRecord>;

/** Limits that a person raised while the run waited at one. */
const Raised = z.object({ turns: z.number().optional(), run: z.number().optional() });
export type Raised = z.infer<typeof Raised>;

/** The run of a job: a hall's own worker at work. */
export const JobRun = z.object({
  ...runRecord,
  id: JobRunId,
  owner: z.object({ kind: z.literal("job"), id: JobRunId }),
  root: JobRunId,
  worker: WorkerName,
  profile: AgentProfile,
  /** The worker's definition as it was at the start. */
  definition: WorkerDefinition,
  /** The id of the call that started it. */
  callId: z.string().nullable(),
  conversation: SdkSessionId,
  raised: Raised.default({}),
  /** How often it has gone on by itself after the model's usage limit. */
  resumes: z.int().default(0),
  prompts: z.array(RunPrompt),
  createdAt: z.string(),
  output: z.string().nullable(),
});
export type JobRun = z.infer<typeof JobRun>;

/** A thing that a person can do with a run, and if not now, why not. */
export const RunAction = z.object({
  verb: z.enum(["stop", "resume", "raise", "finish", "note"]),
  allowed: z.boolean(),
  reason: z.string().optional(),
});
export type RunAction = z.infer<typeof RunAction>;

/** The new limit of a run that waits at one: dollars or turns, whichever it waits for. */
export const RaiseLimit = z.strictObject({ to: z.number().positive().max(1_000_000) });
export type RaiseLimit = z.infer<typeof RaiseLimit>;

export const RunNote = z.strictObject({
  text: z.string().trim().min(1, "must not be empty").max(20_000, "must have at most 20000 characters"),
});
export type RunNote = z.infer<typeof RunNote>;

/** What a person may set for all runs. */
export const ChangeRuns = z.strictObject({ resumesAtReset: z.boolean() });
export type ChangeRuns = z.infer<typeof ChangeRuns>;

/** Whether new runs are paused, and how many use the model now and wait for it. */
export const RunsState = z.object({
  isPaused: z.boolean(),
  atOnce: z.int(),
  running: z.int(),
  queued: z.int(),
  /** Whether a run that reached the model's usage limit resumes when that is reset. */
  resumesAtReset: z.boolean(),
});
export type RunsState = z.infer<typeof RunsState>;

/** A run as it stands: of a session's message, or of a job. */
export const RunDetail = z.object({
  ...runRecord,
  usage: RunUsage,
  output: z.string().nullable(),
  /** The runs that it started. */
  children: z.array(JobRunId),
  actions: z.array(RunAction),
});
export type RunDetail = z.infer<typeof RunDetail>;

/** A run with all that it started. */
export type RunNode = Pick<RunDetail, "id" | "worker" | "state" | "waitingFor" | "usage"> & { children: RunNode[] };
export const RunNode: z.ZodType<RunNode> = RunDetail.pick({ id: true, worker: true, state: true, waitingFor: true, usage: true }).extend({
  get children() {
    return z.array(RunNode);
  },
});

/** The tree that a run belongs to, from its root. `usage` is that of all its runs together. */
export const RunTree = z.object({ root: RunNode, usage: RunUsage });
export type RunTree = z.infer<typeof RunTree>;
