import type { MessageId } from "../../schema/ids.ts";
import type { Block, Message } from "../../schema/session.ts";
import { SessionEvent } from "../../schema/session-event.ts";
import type { QueryUsage } from "../../schema/usage.ts";
import { parseWellFormed } from "../../schema/well-formed.ts";
import { appendText } from "./message-fold.ts";

/** What a query had said, cost and taken before the hall was killed, from the progress it left. The last message broke off. */
export function recoverMessages(
  lines: readonly string[],
  at: string,
): { messages: Message[]; costUsd: number; usage: QueryUsage | undefined } {
  const blocks = new Map<MessageId, Block[]>();
  let usage: QueryUsage | undefined;
  for (const { event, data } of lines.flatMap(eventIn)) {
    if (event === "usage") usage = data;
    if (event === "text") appendText(blocksOf(data.messageId), data.text);
    if (event === "tool_use") blocksOf(data.messageId).push({ type: "tool_use", id: data.id, name: data.name, input: data.input });
    if (event === "tool_result") {
      const { id, content, isError } = data;
      blocksOf(data.messageId).push({ type: "tool_result", id, content, isError });
    }
  }

  function blocksOf(id: MessageId): Block[] {
    const known = blocks.get(id);
    if (known !== undefined) return known;
    const fresh: Block[] = [];
    blocks.set(id, fresh);
    return fresh;
  }

  const messages = [...blocks].map(([id, said], position): Message => {
    const isLast = position === blocks.size - 1;
    return { id, role: "assistant", at, blocks: said, ...(isLast ? { interrupted: true } : {}) };
  });
  return { messages, costUsd: usage?.costUsd ?? 0, usage };
}

/** The last line may be torn, and a line that is not ours says nothing. */
function eventIn(line: string): SessionEvent[] {
  try {
    const { data } = SessionEvent.safeParse(parseWellFormed(line));
    return data === undefined ? [] : [data];
  } catch {
    return [];
  }
}
