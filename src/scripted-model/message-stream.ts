import { randomUUID } from "node:crypto";
import type { ModelRequest } from "./model-request.ts";
import type { Reply, ToolCall, Usage } from "./reply.ts";

/** An event of Anthropic's message stream. `isContent` marks the pieces a fault counts. */
export type StreamEvent = { data: { type: string; [key: string]: unknown }; isContent: boolean };

/** The events of a streamed answer, in order. */
export function streamEvents(reply: Reply, request: ModelRequest): StreamEvent[] {
  const message = wholeMessage(reply, request);
  const events: StreamEvent[] = [
    frame("message_start", {
      message: {
        ...message,
        content: [],
        stop_reason: null,
        usage: { ...message.usage, output_tokens: Math.min(1, message.usage.output_tokens) },
      },
    }),
    frame("ping", {}),
  ];
  const chunkSize = reply.chunkSize ?? 24;
  for (const [index, block] of contentOf(reply, message.content).entries()) {
    events.push(frame("content_block_start", { index, content_block: block.start }));
    for (const chunk of chunksOf(block.body, chunkSize)) {
      events.push({ ...frame("content_block_delta", { index, delta: block.delta(chunk) }), isContent: true });
    }
    events.push(frame("content_block_stop", { index }));
  }
  events.push(
    frame("message_delta", { delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: message.usage }),
    frame("message_stop", {}),
  );
  return events;
}

export type WholeMessage = ReturnType<typeof wholeMessage>;

/** The answer to a request that did not ask for a stream. */
export function wholeMessage(reply: Reply, request: ModelRequest) {
  return {
    id: `msg_scripted_${randomUUID()}`,
    type: "message",
    role: "assistant",
    model: request.model,
    content: [
      ...(reply.text === undefined ? [] : [{ type: "text" as const, text: reply.text.toWellFormed() }]),
      ...(reply.tools ?? []).map((call) => ({
        type: "tool_use" as const,
        id: `toolu_${randomUUID()}`,
        name: call.name,
        input: call.input ?? {},
      })),
    ],
    stop_reason: reply.stopReason ?? (reply.tools === undefined ? "end_turn" : "tool_use"),
    stop_sequence: null,
    usage: usageOf(reply.usage ?? {}, reply, request),
  };
}

/** One event in the format of server-sent events. */
export const encodeEvent = (data: { type: string }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** Pieces of at most `size` characters. No piece ends inside a surrogate pair, and joined they are the text. */
export function chunksOf(text: string, size: number): string[] {
  const chunks: string[] = [];
  let at = 0;
  while (at < text.length) {
    let end = Math.min(at + size, text.length);
    if (end < text.length && isLowSurrogate(text, end) && isHighSurrogate(text, end - 1)) end += 1;
    chunks.push(text.slice(at, end));
    at = end;
  }
  return chunks;
}

/** About four characters to a token: close enough for a count nobody is billed for. */
export const estimateTokens = (value: unknown): number => Math.ceil((JSON.stringify(value) ?? "").length / 4);

const frame = (type: string, fields: Record<string, unknown>): StreamEvent => ({ data: { type, ...fields }, isContent: false });

const isHighSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800;
const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

type StreamedBlock = { start: Record<string, unknown>; body: string; delta: (chunk: string) => Record<string, unknown> };

function contentOf(reply: Reply, content: WholeMessage["content"]): StreamedBlock[] {
  const calls: ToolCall[] = reply.tools ?? [];
  const firstCall = content.length - calls.length;
  return content.map((block, index) =>
    block.type === "text"
      ? { start: { type: "text", text: "" }, body: block.text, delta: (chunk) => ({ type: "text_delta", text: chunk }) }
      : {
          start: { ...block, input: {} },
          body: calls[index - firstCall]?.rawInput ?? JSON.stringify(block.input),
          delta: (chunk) => ({ type: "input_json_delta", partial_json: chunk }),
        },
  );
}

function usageOf(usage: Usage, reply: Reply, request: ModelRequest) {
  return {
    input_tokens: usage.inputTokens ?? estimateTokens([request.system, request.messages, request.tools]),
    output_tokens: usage.outputTokens ?? estimateTokens([reply.text, reply.tools]),
    cache_read_input_tokens: usage.cacheReadTokens ?? 0,
    cache_creation_input_tokens: usage.cacheWriteTokens ?? 0,
    ...(usage.cacheWriteHourTokens === undefined
      ? {}
      : { cache_creation: cacheCreation(usage.cacheWriteTokens ?? 0, usage.cacheWriteHourTokens) }),
  };
}

const cacheCreation = (written: number, forAnHour: number) => ({
  ephemeral_5m_input_tokens: Math.max(0, written - forAnHour),
  ephemeral_1h_input_tokens: forAnHour,
});
