import { z } from "zod";
import { SessionId } from "./ids.ts";
import { SessionStatus } from "./session.ts";

/** What `/api/events` sends to everybody: that something changed, not what it contains. Nothing is replayed; a client that missed some refetches. */
export const HallEvent = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("session"),
    /** With `part`, it is that part of the session which changed. */
    data: z.object({ id: SessionId, status: SessionStatus.nullable(), part: z.enum(["context", "artifacts", "queue"]).optional() }),
  }),
  z.object({ event: z.literal("roster"), data: z.object({ id: z.string(), status: z.string().nullable() }) }),
  z.object({ event: z.literal("job"), data: z.object({ id: z.string(), status: z.string().nullable() }) }),
]);
export type HallEvent = z.infer<typeof HallEvent>;
