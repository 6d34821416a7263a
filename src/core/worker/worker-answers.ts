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

const text = z.string().nullable().default(null);
const Listed = WorkerJob.extend({ description: z.string().default(""), summary: text });
const Matched = z.object({ jobId: JobId });

/** What each method answers. Entries of a list are looked at one by one: a broken one does not take the others with it. */
export const answers = {
  dispatch: Dispatched,
  list: z.looseObject({ jobs: z.array(z.unknown()) }),
  status: z.preprocess(
    withoutNulls,
    WorkerStatus.extend({
      summary: text,
      questions: WorkerStatus.shape.questions.default(null),
      decisions: WorkerStatus.shape.decisions.default(null),
      error: text,
      completedAt: text,
    }),
  ),
  result: z.preprocess(withoutNulls, WorkerResult.extend({ artifacts: WorkerResult.shape.artifacts.default(null) })),
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
