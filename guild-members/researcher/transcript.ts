import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { isRetry } from "./converse.ts";
import type { NewJobEvent } from "./job.ts";

/** What a message of the SDK adds to the timeline of a job. Text comes from whole messages, so it is told once. */
export function eventsOf(message: SDKMessage): NewJobEvent[] {
  if ("parent_tool_use_id" in message && message.parent_tool_use_id !== null) return [];
  if (isRetry(message)) {
    const seconds = Math.max(1, Math.round(message.retry_delay_ms / 1000));
    const text = `The model did not answer (${message.error_status ?? message.error}). Trying again in ${seconds} s.`;
    return [{ type: "status", status: "running", text }];
  }
  // The SDK words a failed call as a message of the model. It is none; the ending tells it.
  if (message.type === "assistant" && message.error === undefined && message.message.model !== "<synthetic>") {
    return message.message.content.flatMap((block): NewJobEvent[] => {
      if (block.type === "text" && block.text.trim() !== "") return [{ type: "text", text: block.text }];
      return block.type === "tool_use" ? [{ type: "tool_use", toolUseId: block.id, name: block.name, input: boundInput(block.input) }] : [];
    });
  }
  if (message.type === "user" && typeof message.message.content !== "string") {
    return message.message.content.flatMap((block): NewJobEvent[] => {
      if (block.type !== "tool_result") return [];
      return [{ type: "tool_result", toolUseId: block.tool_use_id, text: bound(textOf(block.content)), isError: block.is_error === true }];
    });
  }
  return [];
}

const longest = 16 * 1024;

function bound(text: string): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).toWellFormed()}\n[${text.length - longest} more characters are not kept here.]`;
}

/** A report or an artifact is kept in a file of its own; what its tool was given shows only how it began. */
function boundInput(input: unknown): unknown {
  if (JSON.stringify(input).length <= longest) return input;
  if (typeof input !== "object" || input === null) return bound(JSON.stringify(input));
  const shortened = Object.entries(input).map(([key, value]): [string, unknown] => [
    key,
    typeof value === "string" ? `${value.slice(0, 1_000).toWellFormed()}${value.length > 1_000 ? "…" : ""}` : value,
  ]);
  const smaller = Object.fromEntries(shortened);
  return JSON.stringify(smaller).length <= longest ? smaller : bound(JSON.stringify(smaller));
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: unknown) => (hasText(part) ? part.text : "[something that is not text]")).join("\n");
}

const hasText = (part: unknown): part is { text: string } =>
  typeof part === "object" && part !== null && "text" in part && typeof part.text === "string";
