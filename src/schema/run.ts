import { z } from "zod";
import { ApprovalId, RunId, SdkSessionId } from "./ids.ts";
import { WorkerDefinition } from "./worker-definition.ts";

const RunState = z.enum(["queued", "running", "waiting", "completed", "failed", "cancelled"]);

export const WaitingFor = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("slot"), since: z.string() }),
  z.strictObject({ kind: z.literal("person"), since: z.string(), approvalId: ApprovalId }),
  z.strictObject({ kind: z.literal("child"), since: z.string(), run: RunId }),
]);
export type WaitingFor = z.infer<typeof WaitingFor>;

export const RunUsage = z.object({ turns: z.number(), inputTokens: z.number(), outputTokens: z.number(), costUsd: z.number() });
export type RunUsage = z.infer<typeof RunUsage>;

/** What the model is told at one time: the task, or what came of the calls that it waited for. */
export const RunPrompt = z.object({ id: z.uuid(), text: z.string(), tells: z.array(z.string()) });
export type RunPrompt = z.infer<typeof RunPrompt>;

/** The whole execution of one job, over all its attempts and processes. */
export const Run = z.object({
  id: RunId,
  owner: z.object({ kind: z.literal("job"), id: RunId }),
  /** The run whose `worker_call` started this one, and the id of that call. */
  parent: RunId.nullable(),
  callId: z.string().nullable(),
  root: RunId,
  depth: z.int(),
  /** The definition as it was at the start. Edits of the file count for the next run. */
  profile: WorkerDefinition,
  model: z.object({ name: z.string().nullable(), source: z.enum(["worker", "caller", "hall"]) }),
  conversation: SdkSessionId,
  state: RunState,
  waitingFor: WaitingFor.nullable(),
  /** How many processes were started for it. */
  attempt: z.int(),
  prompts: z.array(RunPrompt),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  ending: z.object({ code: z.string(), message: z.string() }).nullable(),
  output: z.string().nullable(),
});
export type Run = z.infer<typeof Run>;

export const RunDetail = Run.extend({ worker: z.string(), usage: RunUsage, children: z.array(RunId) });
export type RunDetail = z.infer<typeof RunDetail>;
