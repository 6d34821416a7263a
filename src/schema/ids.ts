import { monotonicFactory } from "ulid";
import { z } from "zod";

/**
 * Every id the hall mints is a prefix and a lowercase ULID: it sorts by time, and a session id can never be taken for a
 * message id. SDK session ids and job ids are UUIDs, as the outside world has them. All are branded, so that the
 * compiler keeps apart what looks alike.
 */
const ulidBody = "[0-7][0-9a-hjkmnp-tv-z]{25}";

const prefixed = <Prefix extends string>(prefix: Prefix) =>
  z.string().regex(new RegExp(`^${prefix}_${ulidBody}$`), `must be ${prefix}_ and 26 lowercase letters or digits`);

export const SessionId = prefixed("ses").brand<"SessionId">();
export type SessionId = z.infer<typeof SessionId>;

export const MessageId = prefixed("msg").brand<"MessageId">();
export type MessageId = z.infer<typeof MessageId>;

export const ToolCallId = prefixed("call").brand<"ToolCallId">();
export type ToolCallId = z.infer<typeof ToolCallId>;

/** A job of the hall's own workers. */
export const JobRunId = prefixed("job").brand<"JobRunId">();
export type JobRunId = z.infer<typeof JobRunId>;

/** The run of a session's message has the id of the message. Every other run is a job and has the job's id. */
export const RunId = z.union([MessageId, JobRunId]);
export type RunId = z.infer<typeof RunId>;

export const ApprovalId = prefixed("apr").brand<"ApprovalId">();
export type ApprovalId = z.infer<typeof ApprovalId>;

/** A file that is being sent to a session, piece by piece. */
export const UploadId = prefixed("upl").brand<"UploadId">();
export type UploadId = z.infer<typeof UploadId>;

export const SdkSessionId = z.uuid().brand<"SdkSessionId">();
export type SdkSessionId = z.infer<typeof SdkSessionId>;

/** The name of a guild member, and of its folder. */
export const MemberName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "must be 1 to 64 lowercase letters, digits and dashes, and not begin with a dash")
  .brand<"MemberName">();
export type MemberName = z.infer<typeof MemberName>;

/** What the job engine files a job under: any id of ours, or a UUID. Lowercase, because some disks do not tell case apart. */
export const EngineJobId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,127}$/, "must be 1 to 128 lowercase letters, digits, dashes and underscores")
  .brand<"EngineJobId">();
export type EngineJobId = z.infer<typeof EngineJobId>;

/** Monotonic within the process: two ids made in one millisecond still differ and still sort in the order they were made. */
const nextUlid = monotonicFactory();

export const newSessionId = (): SessionId => SessionId.parse(`ses_${nextUlid().toLowerCase()}`);
export const newMessageId = (): MessageId => MessageId.parse(`msg_${nextUlid().toLowerCase()}`);
export const newToolCallId = (): ToolCallId => ToolCallId.parse(`call_${nextUlid().toLowerCase()}`);
export const newJobRunId = (): JobRunId => JobRunId.parse(`job_${nextUlid().toLowerCase()}`);
export const newApprovalId = (): ApprovalId => ApprovalId.parse(`apr_${nextUlid().toLowerCase()}`);
export const newUploadId = (): UploadId => UploadId.parse(`upl_${nextUlid().toLowerCase()}`);
export const newSdkSessionId = (): SdkSessionId => SdkSessionId.parse(crypto.randomUUID());
