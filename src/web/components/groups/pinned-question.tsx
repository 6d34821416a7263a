import type { MessageId } from "../../../schema/ids.ts";
import { isQuestion } from "../../../schema/session.ts";
import type { Message } from "../../../schema/session.ts";
import { ClockTime } from "../elements/clock-time.tsx";
import { SquareMonogram } from "../elements/monogram.tsx";
import { textOf } from "./text-said.ts";

/** More of a question is never in sight in one line. */
const mostInLine = 300;

/** What is being answered, while the answer is read. It leads back to where it was asked. */
export const PinnedQuestion = ({ message }: { message: Message }) => (
  <a
    href={`#${message.id}`}
    aria-label="Go to the question"
    className="absolute inset-x-6 top-0 z-1 mx-auto flex h-[38px] max-w-[786px] items-center gap-2.5 bg-paper px-[3px] text-ink-2 shadow-[0_1px_0_var(--line)] hover:text-ink max-rail:hidden"
  >
    <SquareMonogram label="You">You</SquareMonogram>
    <span className="min-w-0 flex-1 truncate">{textOf(message).slice(0, mostInLine)}</span>
    <ClockTime at={message.at} />
  </a>
);

/** So much it takes of what is in sight. */
export const pinPx = 44;

/** A message whose last line is out of sight has been read: below it is only space, and what a scroll rounds off. */
const belowPx = 12;

/** The question of the answer at the top of what is in sight, where the question itself is not. */
export function questionAbove(log: HTMLElement, messages: readonly Message[]): MessageId | null {
  const top = log.getBoundingClientRect().top + pinPx + belowPx;
  const drawn = [...log.querySelectorAll("article")];
  const first = drawn.find((article) => article.getBoundingClientRect().bottom > top);
  const at = first === undefined ? -1 : messages.findLastIndex(({ id }) => id === first.id);
  const question = messages.findLast((message, index) => isQuestion(message) && index <= at);
  return question === undefined || question.id === first?.id ? null : question.id;
}
