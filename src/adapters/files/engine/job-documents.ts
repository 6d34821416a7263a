import { z } from "zod";
import { EngineJobId } from "../../../schema/ids.ts";
import { defineDocument } from "../document.ts";
import { ProcessIdentity } from "../process-identity.ts";

const JobDocument = z.object({
  id: EngineJobId,
  kind: z.string(),
  lane: z.string(),
  payload: z.unknown(),
  /** Rises with each submission, over restarts and clocks set back. */
  order: z.number(),
  submittedAt: z.iso.datetime(),
});
export type JobDocument = z.infer<typeof JobDocument>;
export const jobDocument = defineDocument(JobDocument);

const LeaseDocument = z.object({
  attempt: z.int().positive(),
  runner: ProcessIdentity,
  startedAt: z.iso.datetime(),
  released: z.boolean(),
});
export type LeaseDocument = z.infer<typeof LeaseDocument>;
export const leaseDocument = defineDocument(LeaseDocument);

export const cancelDocument = defineDocument(z.object({ requestedAt: z.iso.datetime() }));

/** What is kept of an ended job: how it went, and not what it was about. */
const EndDocument = z.object({
  id: EngineJobId,
  kind: z.string(),
  lane: z.string(),
  state: z.enum(["completed", "failed", "cancelled"]),
  attempt: z.int().nonnegative(),
  submittedAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime(),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type EndDocument = z.infer<typeof EndDocument>;
export const endDocument = defineDocument(EndDocument);
