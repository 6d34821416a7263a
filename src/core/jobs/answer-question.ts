import { HallError } from "../../schema/hall-error.ts";
import type { MemberName } from "../../schema/ids.ts";
import type { AnswerQuestion, JobId, WorkerStatus } from "../../schema/job.ts";
import type { WorkerHandle } from "../worker/worker-handle.ts";
import { followUpDescription, followUpOf } from "./follow-up.ts";
import type { AnswerRecord, JobRecords } from "./job-records.ts";

type Answering = AnswerQuestion & {
  worker: MemberName;
  jobId: JobId;
  handle: WorkerHandle;
  records: JobRecords;
  now: () => number;
};

/**
 * Keeps a person's answer and dispatches the job that carries it. The answer is durable before anything is dispatched, and
 * giving it again dispatches nothing again, not even after a crash in between. One at a time per job: its caller sees to that.
 */
export async function answerQuestion(answering: Answering): Promise<{ jobId: JobId; followUp: JobId }> {
  const { worker, jobId, handle, records, question, answer, now } = answering;
  const job = await handle.status(jobId);
  const times = (job.questions ?? []).filter((each) => each === question).length;
  if (times === 0) throw new HallError("conflict", `Job ${jobId} of ${worker} has not asked this: “${question.slice(0, 200)}”.`);

  const given = (await records.all(worker)).get(jobId)?.answers.find((each) => each.question === question);
  if (given !== undefined && given.followUp !== null) {
    if (given.answer === answer) return { jobId, followUp: given.followUp };
    throw new HallError("conflict", `This question was answered already, and ${worker} works on it in job ${given.followUp}.`);
  }
  const kept: AnswerRecord = { question, answer, at: new Date(now()).toISOString(), times, followUp: null };
  const lost = given?.answer === answer ? await findFollowUp(handle, job, given) : null;
  if (lost === null) await keep(answering, kept);
  const followUp = lost ?? (await dispatchFollowUp(answering, job));
  await keep(answering, { ...kept, at: given?.answer === answer ? given.at : kept.at, followUp });
  return { jobId, followUp };
}

const keep = ({ records, worker, jobId }: Answering, kept: AnswerRecord): Promise<void> =>
  records.change(worker, jobId, (record) => ({
    ...record,
    answers: [...record.answers.filter(({ question }) => question !== kept.question), kept],
  }));

/** The hall may have died after the dispatch and before it could note the id. */
async function findFollowUp(handle: WorkerHandle, job: WorkerStatus, { question, at }: AnswerRecord): Promise<JobId | null> {
  const description = followUpDescription(job.description, question);
  const { jobs } = await handle.list();
  return jobs.find((each) => each.description === description && Date.parse(each.startedAt ?? at) >= Date.parse(at))?.jobId ?? null;
}

async function dispatchFollowUp({ handle, question, answer }: Answering, job: WorkerStatus): Promise<JobId> {
  const found = job.status === "completed" ? (await handle.result(job.jobId)).output : null;
  return (await handle.dispatch(followUpOf({ job, question, answer, found }))).jobId;
}
