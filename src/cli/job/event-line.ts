import type { JobDecision, JobEvent } from "../../schema/job.ts";
import { callLine, resultLine } from "../session/tool-text.ts";

/** Lines about what happens in a job. Tools are known by the calls that were told before. */
export function createEventLines(): (event: JobEvent) => string {
  const tools = new Map<string, string>();
  return (event) => {
    switch (event.type) {
      case "status":
        return `${event.status}: ${event.text}`;
      case "progress":
        return `… ${event.summary}`;
      case "question":
        return `? ${event.question}`;
      case "decision":
        return `! ${decisionText(event)}`;
      case "artifact":
        return `+ ${event.path} (${event.size} bytes)`;
      case "memory":
        return `+ memory ${event.key}`;
      case "text":
        return event.text.trim();
      case "tool_use":
        tools.set(event.toolUseId, event.name);
        return callLine(event.name, event.input);
      case "tool_result":
        return resultLine(tools.get(event.toolUseId) ?? "tool", { content: event.text, isError: event.isError });
    }
  };
}

export const decisionText = ({ question, decision, reasoning }: JobDecision): string => `${question} → ${decision} (${reasoning})`;
