import type { SDKAssistantMessage, SDKMessage, SDKPartialAssistantMessage, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentEvent } from "../../core/agent/agent-run.ts";
import { wellFormed } from "../../schema/well-formed.ts";
import { endsResponse } from "./response-end.ts";
import { SdkResult, usageOf } from "./sdk-result.ts";

type Response = {
  id: string;
  /** The text that the stream brought, as far as it is compared, and its whole length. */
  streamed: string;
  length: number;
  whole: string;
  isOver: boolean;
  /** The first half of a surrogate pair at the end of `streamed`. The next chunk may bring the second half. */
  half: string;
};

/**
 * Turns messages of the SDK into our events. Text has one source, the partial messages; a whole message adds only what
 * they did not deliver, which is everything where the SDK fell back to an answer without a stream.
 */
export function createTranslator(send: (event: AgentEvent) => void): (message: SDKMessage) => void {
  const emit = (event: AgentEvent): void => send(wellFormed(event));
  const responses = createResponses((response) => emit({ type: "broken_off", responseId: response.id }));
  let started = false;

  const say = (response: Response, text: string): void => {
    if (text === "") return;
    if (response.streamed.length < mostCompared) response.streamed += text;
    response.length += text.length;
    const joined = response.half + text;
    response.half = /[\ud800-\udbff]$/.exec(joined)?.[0] ?? "";
    const complete = joined.slice(0, joined.length - response.half.length);
    if (complete !== "") emit({ type: "text", responseId: response.id, text: complete });
  };
  /** A block of text is over, so no second half will come. */
  const endText = (response: Response): void => {
    if (response.half !== "") emit({ type: "text", responseId: response.id, text: response.half });
    response.half = "";
  };

  const translatePartial = ({ event }: SDKPartialAssistantMessage): void => {
    if (event.type === "message_start") responses.begin(event.message.id);
    const response = responses.current();
    if (response === undefined) return;
    if (endsResponse(event)) response.isOver = true;
    if (event.type === "content_block_stop") endText(response);
    if (event.type === "content_block_start" && event.content_block.type === "text") say(response, event.content_block.text);
    if (event.type === "content_block_delta" && event.delta.type === "text_delta") say(response, event.delta.text);
  };

  const translateWhole = ({ message, error }: SDKAssistantMessage): void => {
    // The SDK words a failed call as a message of the model. It is none; the ending tells it.
    if (error !== undefined || message.model === "<synthetic>") return;
    const response = responses.of(message.id);
    for (const block of message.content) {
      if (block.type === "text") {
        response.whole += block.text;
        const isCompared = response.length === response.streamed.length;
        if (isCompared && response.whole.startsWith(response.streamed)) say(response, response.whole.slice(response.length));
        endText(response);
      }
      if (block.type === "tool_use") {
        emit({ type: "tool_use", responseId: response.id, id: block.id, name: block.name, input: block.input });
      }
    }
  };

  const translateResults = ({ message }: SDKUserMessage): void => {
    if (typeof message.content === "string") return;
    for (const block of message.content) {
      if (block.type !== "tool_result") continue;
      emit({ type: "tool_result", id: block.tool_use_id, content: block.content ?? "", isError: block.is_error === true });
    }
  };

  return (message) => {
    if ("parent_tool_use_id" in message && message.parent_tool_use_id !== null) return;
    if (message.type === "stream_event") translatePartial(message);
    if (message.type === "assistant") translateWhole(message);
    if (message.type === "user") translateResults(message);
    if (message.type === "system" && message.subtype === "init" && !started) {
      started = true;
      emit({ type: "started", model: message.model, tools: message.tools });
    }
    if (message.type === "system" && message.subtype === "api_retry") {
      const reason = message.error_status === null ? message.error : `${message.error} (${message.error_status})`;
      emit({ type: "retry", attempt: message.attempt, inMs: Math.round(message.retry_delay_ms), reason });
    }
    if (message.type === "result") emit({ type: "usage", ...usageOf(SdkResult.parse(message)) });
  };
}

/** More than is stored of an answer; an endpoint that never ends one must not fill the memory. */
const mostCompared = 2_000_000;

/** The SDK asks again for a response that broke off, with or without saying so, and that is then another one. */
function createResponses(onBrokenOff: (response: Response) => void) {
  const byId = new Map<string, Response>();
  let current: Response | undefined;
  let begun = 0;

  const begin = (id: string, isOver = false): Response => {
    if (current?.isOver === false) onBrokenOff(current);
    begun += 1;
    // The SDK's ids, made unique.
    current = { id: byId.has(id) ? `${id}.${begun}` : id, streamed: "", length: 0, whole: "", isOver, half: "" };
    byId.set(id, current);
    return current;
  };

  return { begin, current: () => current, of: (id: string): Response => byId.get(id) ?? begin(id, true) };
}
