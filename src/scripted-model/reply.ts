import { z } from "zod";

/** The kinds of value a script is made of, with complaints that read on after the name of the key. */
export const text = z.string("must be a text").min(1, "must not be empty");
export const flag = z.boolean("must be true or false");
export const whole = (least: number) => {
  const message = `must be a whole number of at least ${least}`;
  return z.int(message).min(least, message);
};
export const group = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.strictObject(shape, "must be a group of keys");

const milliseconds = whole(0).max(3_600_000, "must be at most 3600000, which is an hour in milliseconds");
const headers = z.record(z.string(), z.string("must be a text"), "must be names of headers with their values");

/** What is not given is estimated from the length of the request and of the answer. */
const Usage = group({
  inputTokens: whole(0).optional(),
  outputTokens: whole(0).optional(),
  cacheReadTokens: whole(0).optional(),
  cacheWriteTokens: whole(0).optional(),
  /** How many of those written stay for an hour instead of five minutes. */
  cacheWriteHourTokens: whole(0).optional(),
});
export type Usage = z.infer<typeof Usage>;

/** `rawInput` is sent as it stands, so a script can play a model whose arguments are not JSON. */
const ToolCall = group({
  name: text,
  input: z.record(z.string(), z.json(), "must be the arguments of the tool by name").optional(),
  rawInput: z.string("must be a text").optional(),
}).refine((call) => call.input === undefined || call.rawInput === undefined, "must have either input or rawInput and not both");
export type ToolCall = z.infer<typeof ToolCall>;

const ApiError = group({
  status: z
    .int("must be an HTTP status")
    .min(400, "must be an HTTP status from 400 to 599")
    .max(599, "must be an HTTP status from 400 to 599"),
  /** Follows from the status where it is not given. */
  type: text.optional(),
  message: text,
  /** Seconds, as in the header of that name. */
  retryAfter: whole(0).optional(),
  headers: headers.optional(),
});
export type ApiError = z.infer<typeof ApiError>;

const faults = ["cut", "end", "malformed", "error-event", "stall", "hang", "reset", "html"] as const;

/**
 * How an answer goes wrong on the wire, after `afterChunks` pieces of its content (0 when not given):
 * `cut` closes the connection, `end` ends the stream cleanly but too early, `malformed` sends an event that is not JSON,
 * `error-event` reports an overload inside the stream, `stall` goes silent, `hang` sends not even headers,
 * `reset` resets the connection at once, `html` answers with a web page.
 */
const Fault = group({
  how: z.enum(faults, `must be one of ${faults.join(", ")}`),
  afterChunks: whole(0).optional(),
});
export type Fault = z.infer<typeof Fault>;

const stopReasons = ["end_turn", "tool_use", "max_tokens", "refusal", "stop_sequence"] as const;

export const pacing = {
  /** Characters of a piece of text. */
  chunkSize: whole(1).optional(),
  chunkDelayMs: milliseconds.optional(),
  usage: Usage.optional(),
};

/** One answer of the model: text, tool calls or both; or an HTTP error; or an answer with a fault on the wire. */
export const Reply = group({
  text: z.string("must be a text").optional(),
  tools: z.array(ToolCall, "must be a list of tool calls").min(1, "must hold at least one tool call").optional(),
  /** Before anything is sent. */
  delayMs: milliseconds.optional(),
  ...pacing,
  stopReason: z.enum(stopReasons, `must be one of ${stopReasons.join(", ")}`).optional(),
  error: ApiError.optional(),
  fault: Fault.optional(),
}).superRefine((reply, context) => {
  const says = reply.text !== undefined || reply.tools !== undefined;
  if (reply.error !== undefined && (says || reply.fault !== undefined)) {
    context.addIssue({ code: "custom", message: "must have an error alone, without text, tools or fault" });
  }
  if (reply.error === undefined && reply.fault === undefined && !says) {
    context.addIssue({ code: "custom", message: "must have at least one of text, tools, error and fault" });
  }
});
export type Reply = z.infer<typeof Reply>;
