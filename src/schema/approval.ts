import { z } from "zod";
import { ApprovalId, JobRunId } from "./ids.ts";

const ApprovalDecision = z.object({
  at: z.string(),
  /** The whole new input, if the person changed it. */
  edited: z.record(z.string(), z.unknown()).nullable(),
  note: z.string().nullable(),
});

export const Approval = z.object({
  id: ApprovalId,
  state: z.enum(["pending", "approved", "rejected", "void"]),
  run: JobRunId,
  root: JobRunId,
  worker: z.string(),
  /** Who asks, and for whom, from the root down. */
  chain: z.array(z.object({ worker: z.string(), run: JobRunId })),
  callId: z.string(),
  rule: z.string(),
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  inputHash: z.string(),
  createdAt: z.string(),
  decision: ApprovalDecision.nullable(),
  /** The call was cut between its effect and the record of it. */
  isUnknown: z.boolean(),
});
export type Approval = z.infer<typeof Approval>;

export const ApprovalList = z.object({ approvals: z.array(Approval) });
export type ApprovalList = z.infer<typeof ApprovalList>;

export const ApproveCall = z.strictObject({ inputHash: z.string(), edited: z.record(z.string(), z.unknown()).optional() });
export type ApproveCall = z.infer<typeof ApproveCall>;

export const RejectCall = z.strictObject({ note: z.string().trim().min(1, "must say why").max(2000) });
export type RejectCall = z.infer<typeof RejectCall>;

/** What a call runs with: as the model asked, or as the person changed it. */
export const inputOf = ({ input, decision }: Approval): Record<string, unknown> => decision?.edited ?? input;

/** A person wrote other arguments than the model. */
export const isEdited = ({ decision }: Approval): boolean => decision !== null && decision.edited !== null;
