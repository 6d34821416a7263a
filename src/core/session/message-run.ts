import { z } from "zod";
import { SessionId } from "../../schema/ids.ts";
import type { MessageId } from "../../schema/ids.ts";
import { Message } from "../../schema/session.ts";

/** A message that is answered: a run that belongs to its session. */
export type MessageRun = { id: MessageId; owner: SessionId; message: Message };

/** The engine's record carries the message, so that accepting both is one durable write. */
const Payload = z.object({ sessionId: SessionId, message: Message });

export const messageRun = (sessionId: SessionId, message: Message): MessageRun => ({ id: message.id, owner: sessionId, message });

export const messagePayload = {
  of: ({ owner, message }: MessageRun): z.infer<typeof Payload> => ({ sessionId: owner, message }),
  read(payload: unknown): MessageRun {
    const { sessionId, message } = Payload.parse(payload);
    return messageRun(sessionId, message);
  },
};
