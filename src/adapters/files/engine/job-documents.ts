import { z } from "zod";
import { EngineJobId } from "../../../schema/ids.ts";
import { defineDocument } from "../document.ts";
import { ProcessIdentity } from "../../processes/process-identity.ts";

const about = { id: EngineJobId, kind: z.string() };
/** Version 1 had lanes only. */
const queueing = {
  lane: z.string().nullable(),
  groups: z.array(z.string()),
  priority: z.number(),
  notBefore: z.iso.datetime().nullable(),
  labels: z.array(z.string()),
};
const plain = { groups: [], priority: 0, notBefore: null, labels: [] };

const work = {
  payload: z.unknown(),
  /** Rises with each submission, over restarts and clocks set back. */
  order: z.number(),
  submittedAt: z.iso.datetime(),
};
const JobDocument = z.object({ ...about, ...queueing, ...work });
export type JobDocument = z.infer<typeof JobDocument>;
export const jobDocument = defineDocument(z.object({ ...about, lane: z.string(), ...work })).next(JobDocument, (before) => ({
  ...before,
  ...plain,
}));

const lease = { attempt: z.int().positive(), startedAt: z.iso.datetime() };
const LeaseDocument = z.object(lease);
export type LeaseDocument = z.infer<typeof LeaseDocument>;
/** Version 1 also named the process, because several could work in one folder. */
export const leaseDocument = defineDocument(z.object({ ...lease, runner: ProcessIdentity, released: z.boolean() })).next(
  LeaseDocument,
  ({ attempt, startedAt }) => ({ attempt, startedAt }),
);

export const cancelDocument = defineDocument(z.object({ requestedAt: z.iso.datetime() }));

/** What is kept of an ended job: how it went, and not what it was about. */
const ending = {
  state: z.enum(["completed", "failed", "cancelled"]),
  attempt: z.int().nonnegative(),
  submittedAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime(),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
};
const EndDocument = z.object({ ...about, ...queueing, ...ending });
export type EndDocument = z.infer<typeof EndDocument>;
export const endDocument = defineDocument(z.object({ ...about, lane: z.string(), ...ending })).next(EndDocument, (before) => ({
  ...before,
  ...plain,
}));
