import { z } from "zod";
import {
  CancelledJob,
  DeletedJob,
  Dispatched,
  JobArtifact,
  JobEvent,
  JobId,
  WorkerJob,
  WorkerResult,
  WorkerStatus,
} from "../../schema/job.ts";
import { withoutNulls } from "../without-nulls.ts";
import { boundedConfig, boundedDecisions, boundedQuestions, boundResult, textUpTo } from "./bound-answers.ts";

/** Of a list and of a job alike, so that one job reads the same in both. */
const description = textUpTo(2_000);
const summary = textUpTo(4_000).nullable().default(null);
const moment = textUpTo(100);
const Listed = WorkerJob.extend({
  description: description.default(""),
  summary,
  startedAt: moment.optional(),
  completedAt: moment.nullable().optional(),
});
const Matched = z.object({ jobId: JobId });

/** What each method answers. Entries of a list are looked at one by one: a broken one does not take the others with it. */
export const answers = {
  dispatch: Dispatched,
  list: z.looseObject({ jobs: z.array(z.unknown()) }),
  status: z.preprocess(
    withoutNulls,
    WorkerStatus.extend({
      description,
      summary,
      questions: boundedQuestions.nullable().default(null),
      decisions: boundedDecisions.nullable().default(null),
      error: textUpTo(20_000).nullable().default(null),
      startedAt: moment,
      completedAt: moment.nullable().default(null),
      task: textUpTo(500_000).optional(),
      config: boundedConfig.optional(),
    }),
  ),
  result: z.preprocess(
    withoutNulls,
    // A page shows a part of the output, and a person can save all of it.
    WorkerResult.extend({ artifacts: WorkerResult.shape.artifacts.default(null) }).transform(boundResult),
  ),
  cancel: CancelledJob,
  delete: DeletedJob,
  /** A later version may tell of things that this one does not know; they are left out. */
  events: z
    .object({
      jobId: JobId,
      events: z.array(z.unknown()).transform((events) => events.flatMap((event) => JobEvent.safeParse(event).data ?? [])),
      hasMore: z.boolean().default(false),
    })
    // Whoever asks for what is after the last one would get the same page for ever.
    .transform((page) => ({ ...page, hasMore: page.hasMore && page.events.length > 0 })),
  artifact: JobArtifact,
} as const;

type ListAnswer = z.infer<typeof answers.list>;

export function readJobs({ jobs }: ListAnswer): { jobs: WorkerJob[]; leftOut: number } {
  // Only what does not fit as it is is looked at again: there may be very many.
  const read = jobs.flatMap((job) => Listed.safeParse(job).data ?? Listed.safeParse(withoutNulls(job)).data ?? []);
  return { jobs: read, leftOut: jobs.length - read.length };
}

export const readMatches = ({ jobs }: ListAnswer): Set<string> => new Set(jobs.flatMap((job) => Matched.safeParse(job).data?.jobId ?? []));
