import { HallError } from "../../schema/hall-error.ts";
import type { JobQuestion, WorkerStatus } from "../../schema/job.ts";
import { timesSettled } from "./job-records.ts";
import type { JobRecord } from "./job-records.ts";

type Asking = Pick<WorkerStatus, "jobId" | "questions">;

/** The questions of a job, each once, with what people said to them. */
export const askedQuestions = (job: Asking, record: JobRecord): JobQuestion[] =>
  [...timesOf(job)].map(([question, times]) => {
    const { answer, at, followUp } = record.answers.find((each) => each.question === question) ?? {};
    return {
      question,
      isOpen: times > timesSettled(record, question),
      answer: answer === undefined || at === undefined ? null : { text: answer, at, followUp: followUp ?? null },
      dismissedAt: record.dismissed.find((each) => each.question === question)?.at ?? null,
    };
  });

/** How often the job has asked just this; refuses what it has not asked. */
export function timesAsked(job: Asking, question: string, worker: string): number {
  const times = timesOf(job).get(question);
  if (times === undefined)
    throw new HallError("conflict", `Job ${job.jobId} of ${worker} has not asked this: “${question.slice(0, 200)}”.`);
  return times;
}

/** How often the job has asked each question, counted in one pass: there may be very many. */
function timesOf({ questions }: Asking): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const question of questions ?? []) times.set(question, (times.get(question) ?? 0) + 1);
  return times;
}
