import type { Message } from "../../../schema/session.ts";
import { passagesOf, toolName } from "./tool-call.ts";
import type { ToolCall } from "./tool-call.ts";

type Sentence = { key: string; text: string };

/** Older sentences have been heard. */
const mostKept = 8;
const mostRead = 200;

/** What has happened since the person spoke last. */
export function sentencesOf(messages: readonly Message[], isRunning: boolean): Sentence[] {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const answer = messages.slice(asked + 1).slice(-mostKept);
  const passages = answer.flatMap((message) => passagesOf(message).map((passage) => ({ ...passage, key: `${message.id} ${passage.key}` })));
  const said = passages.flatMap((passage, index): Sentence[] => {
    if (passage.kind === "calls")
      return passage.calls.map((call) => ({ key: `${passage.key} ${call.id}`, text: callSentence(call, isRunning) }));
    const isArriving = isRunning && index === passages.length - 1;
    return isArriving ? [] : [{ key: passage.key, text: opening(passage.text) }];
  });
  const now = {
    key: `${messages[asked]?.id ?? "nothing"} ${isRunning ? "runs" : "ended"}`,
    text: isRunning ? "Answering." : "The answer is complete.",
  };
  return isRunning || answer.length > 0 ? [...said.slice(-mostKept), now] : [];
}

function callSentence({ name, result }: ToolCall, isRunning: boolean): string {
  const { tool } = toolName(name);
  if (result === null) return `Tool ${tool} ${isRunning ? "is running" : "was stopped"}.`;
  return `Tool ${tool} ${result.isError ? "failed" : "is done"}.`;
}

const opening = (text: string): string => (text.length <= mostRead ? text : `${text.slice(0, mostRead)} and more.`);
