import { z } from "zod";
import { MemberName } from "./ids.ts";
import { JobDecision, JobId, JobStatus, JobUsage } from "./job.ts";

/** One thing that a script expects of a worker, and what was found. */
export const MetExpectation = z.object({ key: z.string(), expected: z.string(), isMet: z.boolean(), found: z.string() });
export type MetExpectation = z.infer<typeof MetExpectation>;

/** A tool that the worker's agent called, and what came back, where something did. */
export const RehearsedCall = z.object({
  name: z.string(),
  input: z.unknown(),
  result: z.object({ text: z.string(), isError: z.boolean() }).nullable(),
});
export type RehearsedCall = z.infer<typeof RehearsedCall>;

/** What a worker did with one job, with a script in the place of the model. */
export const Rehearsal = z.object({
  member: MemberName,
  /** The file that was played. */
  script: z.string(),
  passed: z.boolean(),
  expectations: z.array(MetExpectation),
  jobId: JobId,
  status: JobStatus,
  /** True where the time limit ended it. */
  isLate: z.boolean(),
  durationMs: z.number(),
  /** How often the model was asked. */
  modelCalls: z.number().int(),
  tools: z.array(RehearsedCall),
  /** New or different after the job, by their paths below the member's folder. */
  files: z.array(z.string()),
  artifacts: z.array(z.string()),
  questions: z.array(z.string()),
  decisions: z.array(JobDecision),
  result: z.string().nullable(),
  error: z.string().nullable(),
  usage: JobUsage.nullable(),
});
export type Rehearsal = z.infer<typeof Rehearsal>;
