import { isNote, isQuestion } from "../../../schema/session.ts";
import type { WaitingFor } from "../../../schema/run.ts";
import type { Message } from "../../../schema/session.ts";
import { wordsForWaiting } from "../../../schema/waiting-words.ts";
import { waitsForPerson } from "../../format/waits-for-person.ts";
import { passagesOf, toolName } from "./tool-call.ts";
import type { ToolCall } from "./tool-call.ts";

type Sentence = { key: string; text: string };

/** Older sentences have been heard. */
const mostKept = 8;
const mostRead = 200;

/** What has happened since the person spoke last. */
export function sentencesOf(messages: readonly Message[], isRunning: boolean, waitingFor: WaitingFor | null = null): Sentence[] {
  const asked = messages.findLastIndex(isQuestion);
  const answer = messages
    .slice(asked + 1)
    .filter((message) => !isNote(message))
    .slice(-mostKept);
  const passages = answer.flatMap((message) => passagesOf(message).map((passage) => ({ ...passage, key: `${message.id} ${passage.key}` })));
  const said = passages.flatMap((passage, index): Sentence[] => {
    if (passage.kind === "calls")
      return passage.calls.map((call) => ({ key: `${passage.key} ${call.id}`, text: callSentence(call, isRunning) }));
    const isArriving = isRunning && index === passages.length - 1;
    return isArriving ? [] : [{ key: passage.key, text: opening(passage.text) }];
  });
  const kept = said.slice(-mostKept);
  const question = messages[asked]?.id ?? "nothing";
  // Its place is empty while it waits, so that it is read out again afterwards.
  if (waitingFor !== null)
    return waitsForPerson(waitingFor)
      ? kept
      : [...kept, { key: `${question} waits ${waitingFor.since}`, text: wordsForWaiting(waitingFor) }];
  if (isRunning) return [...kept, { key: `${question} runs`, text: "Answering." }];
  return answer.length > 0 ? [...kept, { key: `${question} ended`, text: "The answer is complete." }] : [];
}

/** What a reader is told at once, for the run stands still until the person acts. */
export const urgentSentence = (waitingFor: WaitingFor | null): string | null =>
  waitingFor !== null && waitsForPerson(waitingFor) ? `${wordsForWaiting(waitingFor)} It waits for you.` : null;

function callSentence({ name, result }: ToolCall, isRunning: boolean): string {
  const { tool } = toolName(name);
  if (result === null) return `Tool ${tool} ${isRunning ? "is running" : "was stopped"}.`;
  return `Tool ${tool} ${result.isError ? "failed" : "is done"}.`;
}

const opening = (text: string): string => (text.length <= mostRead ? text : `${text.slice(0, mostRead)} and more.`);
