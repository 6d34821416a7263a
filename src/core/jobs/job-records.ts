import type { MemberName } from "../../schema/ids.ts";
import type { JobId } from "../../schema/job.ts";

/** What the hall itself keeps about a job: a worker has no word for it. */
export type JobRecord = {
  /** A person does not want to see it any more. */
  hidden: boolean;
  answers: readonly AnswerRecord[];
  /** Questions that a person says need no answer. */
  dismissed: readonly DismissRecord[];
};

export type AnswerRecord = {
  question: string;
  answer: string;
  at: string;
  /** How often the job had asked just this. */
  times: number;
  /** The job that carries the answer; null until it was dispatched. */
  followUp: JobId | null;
};

export type DismissRecord = Pick<AnswerRecord, "question" | "at" | "times">;

/** The port to these records. */
export interface JobRecords {
  /** Those of one worker's jobs; most jobs have none. One that cannot be read is not among them. */
  all(worker: MemberName): Promise<ReadonlyMap<string, JobRecord>>;
  /** Durable when it resolves. Rejects where the record cannot be read, and leaves it as it is then. */
  change(worker: MemberName, jobId: JobId, change: (record: JobRecord) => JobRecord): Promise<void>;
  forget(worker: MemberName, jobId: JobId): Promise<void>;
}

export const emptyRecord: JobRecord = { hidden: false, answers: [], dismissed: [] };

/** How many of the questions that a job asked need nobody any more: the answer is on its way, or a person wants none. */
export function settledIn(record: JobRecord): number {
  if (record.answers.length === 0 && record.dismissed.length === 0) return 0;
  const questions = new Set([...record.answers, ...record.dismissed].map(({ question }) => question));
  return questions.values().reduce((sum, question) => sum + timesSettled(record, question), 0);
}

/** How often of the times that a job asked something it was settled. */
export const timesSettled = ({ answers, dismissed }: JobRecord, wanted: string): number =>
  Math.max(
    0,
    ...[...answers.filter(({ followUp }) => followUp !== null), ...dismissed]
      .filter(({ question }) => question === wanted)
      .map(({ times }) => times),
  );
