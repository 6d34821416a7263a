import type { SDKPartialAssistantMessage } from "@anthropic-ai/claude-agent-sdk";

/** Whether a piece of the stream says that the response is complete. The last piece does not: the SDK makes one up where a stream broke off. */
export const endsResponse = (event: SDKPartialAssistantMessage["event"]): boolean =>
  event.type === "message_delta" && event.delta.stop_reason !== null;
