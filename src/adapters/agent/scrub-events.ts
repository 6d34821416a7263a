import type { AgentEvent } from "../../core/agent/agent-run.ts";
import { createSecretFilter } from "../../core/guard/secret-filter.ts";

export type EventScrubber = {
  emit(event: AgentEvent): void;
  /** Emits text that was held back. Call it when no more events come. */
  flush(): void;
};

/** Takes credentials out of events before anything is stored or shown: an endpoint may repeat in an answer the key it was sent. */
export function createEventScrubber(emit: (event: AgentEvent) => void, secrets: readonly string[]): EventScrubber {
  const filter = createSecretFilter(secrets);
  let responseId: string | null = null;

  const say = (text: string): void => {
    if (text !== "" && responseId !== null) emit({ type: "text", responseId, text });
  };
  const flush = (): void => {
    say(filter.rest());
    responseId = null;
  };
  return {
    emit(event) {
      if (event.type === "text") {
        if (event.responseId !== responseId) flush();
        responseId = event.responseId;
        return say(filter.take(event.text));
      }
      // Usage and waiting come in the middle of a text; a secret in two parts around them is still one.
      if (event.type === "tool_use" || event.type === "broken_off") flush();
      emit(mapTexts(event, filter.whole) as AgentEvent); // the same event, with other texts
    },
    flush,
  };
}

/** No tool has an input as deep as this. Deeper values are left out, so that the recursion cannot exhaust the stack. */
const deepest = 500;

function mapTexts(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === deepest) return "[removed]";
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [change(key), mapTexts(each, change, depth + 1)]));
}
