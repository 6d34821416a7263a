import type { Message } from "../../schema/session.ts";
import { createMessageBudget } from "../run/message-budget.ts";

/** An earlier version stored messages of any size. Only a page of one message can be larger than a page may be. */
export const messagesForPage = (messages: Message[]): Message[] => (messages.length === 1 ? messages.map(bounded) : messages);

function bounded(message: Message): Message {
  const budget = createMessageBudget({ use: "shown", extra: 10_000 });
  return { ...message, blocks: message.blocks.flatMap((block) => budget(block)) };
}
