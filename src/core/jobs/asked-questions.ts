import { HallError } from "../../schema/hall-error.ts";
import type { JobQuestion, WorkerStatus } from "../../schema/job.ts";
import { timesSettled } from "./job-records.ts";
import type { JobRecord } from "./job-records.ts";

type Asking = Pick<WorkerStatus, "jobId" | "questions">;

/** The questions of a job, each once, with what people said to them. */
export const askedQuestions = (job: Asking, record: JobRecord): JobQuestion[] =>
  [...new Set(job.questions)].map((question) => {
    const { answer, at, followUp } = record.answers.find((each) => each.question === question) ?? {};
    return {
      question,
      isOpen: timesIn(job, question) > timesSettled(record, question),
      answer: answer === undefined || at === undefined ? null : { text: answer, at, followUp: followUp ?? null },
      dismissedAt: record.dismissed.find((each) => each.question === question)?.at ?? null,
    };
  });

/** How often the job has asked just this; refuses what it has not asked. */
export function timesAsked(job: Asking, question: string, worker: string): number {
  const times = timesIn(job, question);
  if (times === 0) throw new HallError("conflict", `Job ${job.jobId} of ${worker} has not asked this: “${question.slice(0, 200)}”.`);
  return times;
}

const timesIn = ({ questions }: Asking, question: string): number => (questions ?? []).filter((each) => each === question).length;
