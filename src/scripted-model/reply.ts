import { z } from "zod";

const milliseconds = z.number().int().min(0).max(3_600_000);
const tokens = z.number().int().min(0);

/** The type each HTTP status has in Anthropic's error format. */
export const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};

export const Usage = z.strictObject({
  inputTokens: tokens.optional(),
  outputTokens: tokens.optional(),
  cacheReadTokens: tokens.optional(),
  cacheWriteTokens: tokens.optional(),
});
export type Usage = z.infer<typeof Usage>;

/** `rawInput` is sent as it stands, so a script can play a model whose arguments are not JSON. */
export const ToolCall = z
  .strictObject({ name: z.string().min(1), input: z.record(z.string(), z.json()).optional(), rawInput: z.string().optional() })
  .refine((call) => call.input === undefined || call.rawInput === undefined, { error: "give either input or rawInput, not both" });
export type ToolCall = z.infer<typeof ToolCall>;

export const ApiError = z.strictObject({
  status: z.number().int().min(400).max(599),
  type: z.string().optional(),
  message: z.string(),
  /** Seconds, as in the header of that name. */
  retryAfter: z.number().min(0).optional(),
  headers: z.record(z.string(), z.string()).optional(),
});
export type ApiError = z.infer<typeof ApiError>;

/**
 * How an answer goes wrong on the wire, after `afterChunks` pieces of its content (0 when not given):
 * `cut` closes the connection, `end` ends the stream cleanly but too early, `malformed` sends an event that is not JSON,
 * `error-event` reports an overload inside the stream, `stall` goes silent, `hang` sends not even headers,
 * `reset` resets the connection at once, `html` answers with a web page.
 */
export const Fault = z.strictObject({
  how: z.enum(["cut", "end", "malformed", "error-event", "stall", "hang", "reset", "html"]),
  afterChunks: z.number().int().min(0).optional(),
});
export type Fault = z.infer<typeof Fault>;

export const pacing = { chunkSize: z.number().int().min(1).optional(), chunkDelayMs: milliseconds.optional(), usage: Usage.optional() };

/** One answer of the model: text, tool calls or both; or an HTTP error; or any of it with a fault on the wire. */
export const Reply = z
  .strictObject({
    text: z.string().optional(),
    tools: z.array(ToolCall).min(1).optional(),
    delayMs: milliseconds.optional(),
    ...pacing,
    stopReason: z.enum(["end_turn", "tool_use", "max_tokens", "refusal", "stop_sequence"]).optional(),
    error: ApiError.optional(),
    fault: Fault.optional(),
  })
  .superRefine((reply, context) => {
    const says = reply.text !== undefined || reply.tools !== undefined;
    if (reply.error !== undefined && (says || reply.fault !== undefined)) {
      context.addIssue({ code: "custom", message: "an error stands alone, without text, tools or fault", path: ["error"] });
    }
    if (reply.error === undefined && reply.fault === undefined && !says) {
      context.addIssue({ code: "custom", message: "give at least one of text, tools, error or fault" });
    }
  });
export type Reply = z.infer<typeof Reply>;
