import type { WaitingFor } from "../../schema/run.ts";
import { wordsForWaiting } from "../../schema/waiting-words.ts";
import { safeText } from "../safe-text.ts";
import { span } from "../span.ts";

/** What a run waits for and since when, for a terminal. `now` is in milliseconds since 1970. */
export function waitSentence(waitingFor: WaitingFor, now: number): string {
  const since = clockTime(waitingFor.since, now);
  if (waitingFor.kind === "limit")
    return `The model's usage limit resets at ${clockTime(waitingFor.until, now)} (${untilThen(Date.parse(waitingFor.until) - now)}). Waiting since ${since}.`;
  if (waitingFor.kind === "budget") return `${safeText(wordsForWaiting(waitingFor))} Waiting since ${since}.`;
  return `${wordsForWaiting(waitingFor).replace(/\.$/, "")} (since ${since}).`;
}

/** The run resumes up to a minute after the reset. */
const untilThen = (ms: number): string => (ms > 0 ? `in ${span(Math.ceil(ms / 1000))}` : "about now");

/** In the time zone of the terminal, with the day if it is another one. */
function clockTime(moment: string, now: number): string {
  const [at, today] = [new Date(moment), new Date(now)];
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
  if (at.toDateString() === today.toDateString()) return time;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}`;
}

const two = (part: number): string => String(part).padStart(2, "0");
