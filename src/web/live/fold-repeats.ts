import type { MessageId } from "../../schema/ids.ts";
import { isQuestion } from "../../schema/session.ts";
import type { Message } from "../../schema/session.ts";

export type Folded = {
  shown: readonly Message[];
  /** How often it was sent, of those that were sent more than once. */
  times: ReadonlyMap<MessageId, number>;
  /** What is shown in place of one that is not. */
  standIns: ReadonlyMap<MessageId, MessageId>;
};

/** What was sent again because no answer came is shown once, as the last of them. */
export function foldRepeats(messages: readonly Message[]): Folded {
  const times = new Map<MessageId, number>();
  const standIns = new Map<MessageId, MessageId>();
  // From the end, so that each knows already what stands in for the next.
  for (let index = messages.length - 2; index >= 0; index -= 1) {
    const [message, next] = [messages[index], messages[index + 1]];
    if (message === undefined || next === undefined || !isRepeated(message, next)) continue;
    const shown = standIns.get(next.id) ?? next.id;
    standIns.set(message.id, shown);
    times.set(shown, (times.get(shown) ?? 1) + 1);
  }
  return { shown: standIns.size === 0 ? messages : messages.filter(({ id }) => !standIns.has(id)), times, standIns };
}

const isRepeated = (message: Message, next: Message): boolean =>
  isQuestion(message) && isQuestion(next) && JSON.stringify(message.blocks) === JSON.stringify(next.blocks);
