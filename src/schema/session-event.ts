import { z } from "zod";
import { ErrorCode } from "./error-code.ts";
import { MessageId } from "./ids.ts";
import { SessionFailure, SessionStatus } from "./session.ts";

/** What a session's stream sends while a query runs. */
export const SessionEvent = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("status"),
    data: z.object({
      status: SessionStatus,
      error: SessionFailure.optional(),
      retry: z.object({ attempt: z.int(), inMs: z.number(), reason: z.string() }).optional(),
    }),
  }),
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
      /** While the query runs. The figures at its end take the place of all before them. */
      isEstimate: z.literal(true).optional(),
    }),
  }),
  z.object({ event: z.literal("error"), data: z.object({ code: ErrorCode, message: z.string() }) }),
  z.object({ event: z.literal("done"), data: z.object({}) }),
]);
export type SessionEvent = z.infer<typeof SessionEvent>;
