import type { MessageId } from "../../../schema/ids.ts";
import type { Message } from "../../../schema/session.ts";

/** What was said by whom this message is, from where they began to speak down to it. Tool calls are left out. */
export function textSaidUpTo(messages: readonly Message[], last: MessageId): string {
  const end = messages.findIndex(({ id }) => id === last);
  const role = messages[end]?.role;
  const begin = role === "user" ? end : messages.findLastIndex((message, index) => index < end && message.role !== role) + 1;
  return messages
    .slice(begin, end + 1)
    .map(textOf)
    .filter((text) => text !== "")
    .join("\n\n");
}

export const textOf = ({ blocks }: Message): string =>
  blocks
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n\n")
    .trim();
