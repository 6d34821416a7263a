import { HallError } from "../../schema/hall-error.ts";
import type { MessageId, SessionId } from "../../schema/ids.ts";
import type { Message } from "../../schema/session.ts";
import { createTurns } from "../in-turn.ts";

/** The port to messages that wait for their turn. Whatever resolves is durable. */
export interface QueueStore {
  read(id: SessionId): Promise<Message[]>;
  write(id: SessionId, messages: readonly Message[]): Promise<void>;
}

const mostWaiting = 50;

/** Messages a person sent while their session was busy, in the order they were sent. */
export function createMessageQueue(store: QueueStore) {
  const inTurn = createTurns<SessionId>();
  return {
    list: store.read,

    add: (id: SessionId, message: Message): Promise<void> =>
      inTurn(id, async () => {
        const waiting = await store.read(id);
        if (waiting.length >= mostWaiting)
          throw new HallError("conflict", `${mostWaiting} messages wait in this session already. Wait until one was sent, or remove one.`);
        await store.write(id, [...waiting, message]).catch(async (error: unknown) => {
          // A write that fails late has taken effect, and the message would be sent although its sender was refused.
          if (!(await store.read(id)).some((each) => each.id === message.id)) throw error;
        });
      }),

    /** False where it does not wait: it was sent or removed. */
    remove: (id: SessionId, messageId: MessageId): Promise<boolean> =>
      inTurn(id, async () => {
        const waiting = await store.read(id);
        const left = waiting.filter((message) => message.id !== messageId);
        if (left.length === waiting.length) return false;
        await store.write(id, left);
        return true;
      }),
  };
}
