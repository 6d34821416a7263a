import type { JobEvent } from "../../../schema/job.ts";
import type { Passage, ToolCall } from "./tool-call.ts";

/** A run is cut after so many calls, so that no passage is too much to be drawn. */
const mostInRun = 50;

/** What a worker's agent said and did, as it is read: passages of text, and between them runs of tool calls with their results. */
export function jobPassages(events: readonly JobEvent[]): Passage[] {
  const results = new Map(events.flatMap((event) => (event.type === "tool_result" ? [[event.toolUseId, event]] : [])));
  const passages: Passage[] = [];
  for (const event of events) {
    if (event.type === "text") passages.push({ kind: "text", key: `text ${event.id}`, text: event.text });
    if (event.type !== "tool_use") continue;
    const result = results.get(event.toolUseId);
    const call: ToolCall = {
      id: `${event.id} ${event.toolUseId}`,
      name: event.name,
      input: event.input,
      result: result === undefined ? null : { content: result.text, isError: result.isError },
    };
    const last = passages.at(-1);
    if (last?.kind === "calls" && last.calls.length < mostInRun) last.calls.push(call);
    else passages.push({ kind: "calls", key: `calls ${event.id}`, calls: [call] });
  }
  return passages;
}
