import { z } from "zod";
import { SessionId } from "./ids.ts";
import { JobStatus } from "./job.ts";
import { SessionStatus } from "./session.ts";

/** What `/api/events` sends to everybody: that something changed, not what it contains. Nothing is replayed; a client that missed some refetches. */
export const HallEvent = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("session"),
    /** With `part`, it is that part of the session which changed. */
    data: z.object({ id: SessionId, status: SessionStatus.nullable(), part: z.enum(["context", "artifacts", "queue"]).optional() }),
  }),
  /** A person paused new runs, or let them go on. */
  z.object({ event: z.literal("runs"), data: z.object({ isPaused: z.boolean() }) }),
  z.object({ event: z.literal("roster"), data: z.object({ id: z.string(), status: z.string().nullable() }) }),
  z.object({
    event: z.literal("job"),
    data: z.object({
      /** `<worker>/<jobId>`. */
      id: z.string(),
      /** Null where it was deleted. */
      status: JobStatus.nullable(),
      /** Set where a person may want to know: the job has ended just now, or has asked something. */
      change: z.enum(["ended", "asked"]).optional(),
    }),
  }),
]);
export type HallEvent = z.infer<typeof HallEvent>;
