import { z } from "zod";
import { SessionId } from "../../schema/ids.ts";
import { Message } from "../../schema/session.ts";

/** A query as the engine keeps it. It carries its message, so that accepting both is one durable write. */
export const QueryPayload = z.object({ sessionId: SessionId, message: Message });
export type QueryPayload = z.infer<typeof QueryPayload>;
