import type { MessageId } from "../../../schema/ids.ts";
import { isNote, isQuestion } from "../../../schema/session.ts";
import type { Message } from "../../../schema/session.ts";

/** What was said by whom this message is, from where they began to speak down to it. Tool calls are left out. */
export function textSaidUpTo(messages: readonly Message[], last: MessageId): string {
  const end = messages.findIndex(({ id }) => id === last);
  const isPerson = messages[end]?.role === "user";
  const begin = isPerson ? end : messages.findLastIndex((message, index) => index < end && isQuestion(message)) + 1;
  return messages
    .slice(begin, end + 1)
    .filter((message) => isPerson || !isNote(message))
    .map(textOf)
    .filter((text) => text !== "")
    .join("\n\n");
}

export const textOf = ({ blocks }: Message): string =>
  blocks
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n\n")
    .trim();
