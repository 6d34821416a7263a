import type { JobEvent } from "../../schema/job.ts";
import type { RehearsedCall } from "../../schema/rehearsal.ts";
import type { RecordedRequest } from "../../scripted-model/server.ts";

/** The tools that were called, as the worker tells it. */
export function callsIn(events: readonly JobEvent[]): RehearsedCall[] {
  const calls = new Map<string, RehearsedCall>();
  for (const event of events) {
    if (event.type === "tool_use") calls.set(event.toolUseId, { name: event.name, input: event.input, result: null });
    if (event.type === "tool_result") answer(calls, event.toolUseId, { text: event.text, isError: event.isError });
  }
  return [...calls.values()];
}

/** The same, as the model saw it: each request holds the conversation so far. What was called last may be missing. */
export function callsShownTo(requests: readonly RecordedRequest[]): RehearsedCall[] {
  const calls = new Map<string, RehearsedCall>();
  const blocks = requests.flatMap(({ body }) => body.messages).flatMap(({ content }) => (typeof content === "string" ? [] : content));
  for (const { type, id = "", name = "", tool_use_id: asked = "", is_error: isError, ...more } of blocks) {
    if (type === "tool_use" && !calls.has(id)) calls.set(id, { name, input: more["input"], result: null });
    if (type === "tool_result") answer(calls, asked, { text: textOf(more["content"]), isError: isError === true });
  }
  return [...calls.values()];
}

function answer(calls: Map<string, RehearsedCall>, id: string, result: RehearsedCall["result"]): void {
  const call = calls.get(id);
  if (call !== undefined) calls.set(id, { ...call, result });
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: unknown) => (typeof part === "object" && part !== null && "text" in part ? String(part.text) : "")).join("\n");
}
