import type { MemberName } from "../../schema/ids.ts";
import type { JobId } from "../../schema/job.ts";

/** What the hall itself keeps about a job: a worker has no word for it. */
export type JobRecord = {
  /** A person does not want to see it any more. */
  hidden: boolean;
  answers: readonly AnswerRecord[];
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

/** The port to these records. */
export interface JobRecords {
  /** Those of one worker's jobs; most jobs have none. One that cannot be read is not among them. */
  all(worker: MemberName): Promise<ReadonlyMap<string, JobRecord>>;
  /** Durable when it resolves. Rejects where the record cannot be read, and leaves it as it is then. */
  change(worker: MemberName, jobId: JobId, change: (record: JobRecord) => JobRecord): Promise<void>;
  forget(worker: MemberName, jobId: JobId): Promise<void>;
}

export const emptyRecord: JobRecord = { hidden: false, answers: [] };

/** How many of the questions that a job asked are answered, and the answer on its way. */
export const answeredIn = ({ answers }: JobRecord): number =>
  answers.reduce((sum, { followUp, times }) => sum + (followUp === null ? 0 : times), 0);
