import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import type { Remains } from "./ending.ts";
import { endsResponse } from "./response-end.ts";
import { SdkResult } from "./sdk-result.ts";

export type RunRecord = {
  note(message: SDKMessage): void;
  hasResult(): boolean;
  /** What the messages say about the ending. */
  told(): Pick<Remains, "result" | "errorClass" | "resetsAt" | "isCutShort">;
};

/** Remembers, of all messages of a run, what its ending will be made of. */
export function createRunRecord(): RunRecord {
  let result: SdkResult | null = null;
  let errorClass: string | null = null;
  let resetsAt: string | null = null;
  let isCutShort = false;

  return {
    note(message) {
      if (message.type === "result") result = SdkResult.parse(message);
      if (message.type === "assistant" && message.error !== undefined) errorClass = message.error;
      if (message.type === "stream_event" && message.event.type === "message_start") isCutShort = true;
      if (message.type === "stream_event" && endsResponse(message.event)) isCutShort = false;
      if (message.type === "rate_limit_event" && message.rate_limit_info.resetsAt !== undefined) {
        resetsAt = new Date(message.rate_limit_info.resetsAt * 1000).toISOString();
      }
    },
    hasResult: () => result !== null,
    told: () => ({ result, errorClass, resetsAt, isCutShort }),
  };
}
