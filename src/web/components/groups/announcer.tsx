"use client";

import type { Message } from "../../../schema/session.ts";
import { passagesOf, toolName } from "./tool-call.ts";

type AnnouncerProps = {
  messages: readonly Message[];
  isRunning: boolean;
  /** Why the last answer broke off. */
  trouble: string | undefined;
};

/** Tells screen readers what happens, a sentence for each tool call and each finished answer, and not every word as it arrives. */
export function Announcer({ messages, isRunning, trouble }: AnnouncerProps) {
  return (
    <p role="status" className="sr-only">
      {trouble ?? sentence(messages.at(-1), isRunning)}
    </p>
  );
}

function sentence(last: Message | undefined, isRunning: boolean): string {
  if (last === undefined || last.role === "user") return isRunning ? "Answering." : "";
  const passage = passagesOf(last).at(-1);
  if (isRunning) {
    const call = passage?.kind === "calls" ? passage.calls.at(-1) : undefined;
    if (call === undefined) return "Answering.";
    const { tool } = toolName(call.name);
    if (call.result === null) return `Tool ${tool} is running.`;
    return call.result.isError ? `Tool ${tool} failed.` : `Tool ${tool} is done.`;
  }
  return passage?.kind === "text" ? `The answer is complete: ${passage.text.slice(0, 200)}` : "The answer is complete.";
}
