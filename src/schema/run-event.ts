import { z } from "zod";
import { ErrorCode } from "./error-code.ts";
import { MessageId } from "./ids.ts";
import { LimitKind, RunState, WaitingFor } from "./run.ts";
import { SessionFailure } from "./session.ts";

const Retry = z.object({ attempt: z.int(), inMs: z.number(), reason: z.string() });
type Retry = z.infer<typeof Retry>;

/** The state of a session or run, and why it does not continue at this moment. */
export const statusEvent = <Status extends z.ZodType>(status: Status) =>
  z.object({
    event: z.literal("status"),
    data: z.object({
      status,
      error: SessionFailure.optional(),
      retry: Retry.optional(),
    }),
  });

/** What the stream of a session and that of a job have in common. */
export const workEvents = [
  /** From here on the run waits, without using the model. */
  z.object({ event: z.literal("waiting"), data: z.object({ waitingFor: WaitingFor }) }),
  z.object({ event: z.literal("resumed"), data: z.object({}) }),
  z.object({ event: z.literal("text"), data: z.object({ messageId: MessageId, text: z.string() }) }),
  z.object({
    event: z.literal("tool_use"),
    data: z.object({ messageId: MessageId, id: z.string(), name: z.string(), input: z.unknown() }),
  }),
  z.object({
    event: z.literal("tool_result"),
    data: z.object({ messageId: MessageId, id: z.string(), content: z.unknown(), isError: z.boolean() }),
  }),
  z.object({
    event: z.literal("usage"),
    data: z.object({
      inputTokens: z.number(),
      outputTokens: z.number(),
      costUsd: z.number(),
      turns: z.number(),
      /** While the run goes on. The figures at its end take the place of all before them. */
      isEstimate: z.literal(true).optional(),
    }),
  }),
  /** Four fifths of a limit are used. Sent once per limit. */
  z.object({ event: z.literal("near_limit"), data: z.object({ limit: LimitKind, message: z.string() }) }),
  /** The agent has read a note that a person sent while it works. */
  z.object({ event: z.literal("note"), data: z.object({ messageId: MessageId, text: z.string(), readAt: z.iso.datetime() }) }),
  z.object({ event: z.literal("error"), data: z.object({ code: ErrorCode, message: z.string() }) }),
  z.object({ event: z.literal("done"), data: z.object({}) }),
] as const;

/** An event that belongs in the stream of a session as well as in that of a job. */
export type WorkEvent =
  | z.infer<(typeof workEvents)[number]>
  | { event: "status"; data: { status: "running"; error?: SessionFailure; retry?: Retry } };

/** What `/api/runs/{id}/events` sends. */
export const RunEvent = z.discriminatedUnion("event", [statusEvent(RunState), ...workEvents]);
export type RunEvent = z.infer<typeof RunEvent>;
