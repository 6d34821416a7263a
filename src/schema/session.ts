import { z } from "zod";
import { ContextText } from "./context.ts";
import { ErrorCode } from "./error-code.ts";
import { MessageId, SdkSessionId, SessionId } from "./ids.ts";
import { WaitingFor } from "./run.ts";
import { nothingUsed, SessionUsage } from "./usage.ts";

export const SessionStatus = z.enum(
  ["idle", "running", "completed", "expired", "error"],
  "must be idle, running, completed, expired or error",
);
export type SessionStatus = z.infer<typeof SessionStatus>;

const Limits = z.strictObject({
  maxTurns: z.int().min(1).max(1000).optional(),
  maxBudgetUsd: z.number().positive().max(10_000).optional(),
  /** What the whole session may cost: from there on messages are refused and a running answer pauses, until a person raises it. The two above are for one query. */
  maxCostUsd: z.number().positive().max(1_000_000).optional(),
});
export type Limits = z.infer<typeof Limits>;

const { maxTurns, maxBudgetUsd, maxCostUsd } = Limits.shape;
/** What is left out stays as it is, and null takes a limit away. */
const ChangedLimits = z.strictObject({
  maxTurns: maxTurns.nullable(),
  maxBudgetUsd: maxBudgetUsd.nullable(),
  maxCostUsd: maxCostUsd.nullable(),
});

export const SessionFailure = z.object({
  code: ErrorCode,
  message: z.string(),
  resetsAt: z.iso.datetime().optional(),
});
export type SessionFailure = z.infer<typeof SessionFailure>;

export const Session = z.object({
  id: SessionId,
  kind: z.enum(["session", "meeting"]),
  name: z.string(),
  status: SessionStatus,
  members: z.array(z.string()),
  model: z.string().nullable(),
  sdkSessionId: SdkSessionId,
  messageCount: z.int().nonnegative(),
  createdAt: z.iso.datetime(),
  lastActivityAt: z.iso.datetime(),
  costUsd: z.number().nonnegative(),
  usage: SessionUsage.default(nothingUsed),
  limits: Limits,
  error: SessionFailure.nullable(),
  /** When the conversation with the model began anew on the same history. */
  renewedAt: z.iso.datetime().nullable().default(null),
  /** A line of what was said last, for a card. Null where nothing was said yet. */
  preview: z.string().nullable().default(null),
  /** What the run of its message waits for. Never stored: after a restart nothing runs. */
  waitingFor: WaitingFor.nullable().default(null),
  /** The last message whose query has ended, however it ended. A message behind it in the history is still to be answered. */
  endedQuery: MessageId.nullable().default(null),
});
export type Session = z.infer<typeof Session>;

const TextBlock = z.object({ type: z.literal("text"), text: z.string() });
const ToolUseBlock = z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.unknown() });
const ToolResultBlock = z.object({ type: z.literal("tool_result"), id: z.string(), content: z.unknown(), isError: z.boolean() });
export const Block = z.discriminatedUnion("type", [TextBlock, ToolUseBlock, ToolResultBlock]);
export type Block = z.infer<typeof Block>;

/** One assistant message per model response; a tool result sits in the message of its tool use. */
export const Message = z.object({
  id: MessageId,
  role: z.enum(["user", "assistant"]),
  at: z.iso.datetime(),
  blocks: z.array(Block),
  interrupted: z.boolean().optional(),
  /** Only for a note: a person sent it while the agent worked, for its next tool call. Null until it was read. */
  note: z.object({ readAt: z.iso.datetime().nullable() }).optional(),
});
export type Message = z.infer<typeof Message>;

/** A note is said to an agent at work, and is not what it answers. */
export const isNote = ({ note }: Pick<Message, "note">): boolean => note !== undefined;

/** Whether an answer begins after this message. */
export const isQuestion = (message: Pick<Message, "role" | "note">): boolean => message.role === "user" && !isNote(message);

export const maxMessageLength = 200_000;

const text = (most: number) =>
  z.string("must be text").trim().min(1, "must not be empty").max(most, `must have at most ${most} characters`);

/** It becomes an argument of the agent's process. */
const model = text(200).regex(/^(?!-)\P{Cc}*$/u, "must not begin with a dash, nor have control characters");

const members = z.array(z.string("must be the name of a member"), "must be a list").max(100, "must have at most 100 names");

export const CreateSession = z.strictObject({
  name: text(200),
  members: members.default([]),
  model: model.optional(),
  /** What the context file says at first; left out, it has empty sections. */
  context: ContextText.optional(),
  limits: Limits.default({}),
});
export type CreateSession = z.infer<typeof CreateSession>;

/** What is left out stays as it is. */
export const ChangeSession = z.strictObject({
  name: text(200).optional(),
  members: members.optional(),
  /** Null leaves the choice to the hall again. */
  model: model.nullable().optional(),
  limits: ChangedLimits.optional(),
});
export type ChangeSession = z.infer<typeof ChangeSession>;

/** With `queue`, a message to a session that is busy waits for its turn instead of being refused. */
export const SendMessage = z.strictObject({ text: text(maxMessageLength), queue: z.boolean("must be true or false").default(false) });
export type SendMessage = z.infer<typeof SendMessage>;

/** The newest place in a session's messages where the words of a search are: plain text, and from where to where the words are in it. */
export const Match = z.object({ messageId: MessageId, text: z.string(), marks: z.array(z.tuple([z.int(), z.int()])) });
export type Match = z.infer<typeof Match>;

/** How many sessions of each status the hall has in all, and how many of the idle ones failed. */
export const SessionCounts = z.record(z.enum([...SessionStatus.options, "failed"]), z.int().nonnegative());
export type SessionCounts = z.infer<typeof SessionCounts>;

/** `counts` is null while the hall is still finding its sessions. `matches` is there for a search, by session id; a session that only its name brought up has none. */
export const SessionList = z.object({
  sessions: z.array(Session),
  nextCursor: z.string().nullable(),
  counts: SessionCounts.nullable(),
  matches: z.record(z.string(), Match).optional(),
});
export type SessionList = z.infer<typeof SessionList>;

export const SessionDetail = z.object({ session: Session, messages: z.array(Message), nextCursor: z.string().nullable() });
export type SessionDetail = z.infer<typeof SessionDetail>;

export const MessageAccepted = z.object({ messageId: MessageId });
export type MessageAccepted = z.infer<typeof MessageAccepted>;

/** Messages that wait for their turn, in order. */
export const MessageQueue = z.object({ messages: z.array(Message) });
export type MessageQueue = z.infer<typeof MessageQueue>;
