import { z } from "zod";
import { JobEvent, JobStatus } from "./job.ts";

/** A job as it is followed: what happens in it, one by one, and at its end `done`. */
export const JobStreamEvent = z.discriminatedUnion("event", [
  z.object({ event: z.literal("entry"), data: JobEvent }),
  z.object({ event: z.literal("done"), data: z.object({ status: JobStatus }) }),
]);
export type JobStreamEvent = z.infer<typeof JobStreamEvent>;
