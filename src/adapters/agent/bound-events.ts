import type { AgentEvent } from "../../core/agent/agent-run.ts";
import { boundText, maxResultCharacters } from "./bound-result.ts";

/** Several times what a model can say in one response. An endpoint that is broken or hostile may send any amount. */
export const maxAnswerCharacters = 1_000_000;
/** A tool's result may hold a picture, which `boundResult` lets pass up to 8,000,000 characters. */
const maxDataCharacters = 9_000_000;

/** Keeps what a run says to what the hall can store and show, with a sentence where something was left out. */
export function createEventBounds(emit: (event: AgentEvent) => void): (event: AgentEvent) => void {
  const said = new Map<string, number>();

  function say({ responseId, text }: Extract<AgentEvent, { type: "text" }>): void {
    const before = said.get(responseId) ?? 0;
    if (before > maxAnswerCharacters) return;
    said.set(responseId, before + text.length);
    const room = maxAnswerCharacters - before;
    const isCut = text.length > room;
    emit({ type: "text", responseId, text: isCut ? `${text.slice(0, room).toWellFormed()}${cutAnswer}` : text });
  }

  return (event) => {
    if (event.type === "text") return say(event);
    if (event.type === "tool_use") return emit({ ...event, input: boundData(event.input, maxAnswerCharacters) });
    if (event.type === "tool_result") return emit({ ...event, content: boundContent(event.content) });
    emit(event);
  };
}

const cutAnswer = `\n\n[Cut here: the answer has more than ${figure(maxAnswerCharacters)} characters. The rest was left out.]`;

function boundContent(content: unknown): unknown {
  if (typeof content === "string") return boundText(content, maxResultCharacters);
  return boundData(content, maxDataCharacters);
}

function boundData(value: unknown, most: number): unknown {
  const length = JSON.stringify(value)?.length ?? 0;
  return length <= most ? value : `[Left out: it has ${figure(length)} characters, and at most ${figure(most)} are stored.]`;
}

function figure(characters: number): string {
  return characters.toLocaleString("en");
}
