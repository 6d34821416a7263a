import { HallError } from "../../schema/hall-error.ts";
import type { MemberName } from "../../schema/ids.ts";
import type { AnswerQuestion, JobId, WorkerStatus } from "../../schema/job.ts";
import type { WorkerHandle } from "../worker/worker-handle.ts";
import { timesAsked } from "./asked-questions.ts";
import { followUpDescription, followUpOf } from "./follow-up.ts";
import type { AnswerRecord, JobRecord, JobRecords } from "./job-records.ts";

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
  const times = timesAsked(job, question, worker);
  const known = await records.all(worker);
  const given = known.get(jobId)?.answers.find((each) => each.question === question);
  // What was asked once more after its answer is a new question.
  if (given !== undefined && given.times >= times) {
    const followUp = given.followUp ?? (await findFollowUp(handle, job, given, known.values()));
    if (followUp !== null) {
      if (given.followUp === null) await keep(answering, { ...given, followUp });
      if (given.answer === answer) return { jobId, followUp };
      throw new HallError("conflict", `This question was answered already, and ${worker} works on it in job ${followUp}.`);
    }
  }
  const kept: AnswerRecord = { question, answer, at: new Date(now()).toISOString(), times, followUp: null };
  await keep(answering, kept);
  const followUp = await dispatchFollowUp(answering, job);
  await keep(answering, { ...kept, followUp });
  return { jobId, followUp };
}

const keep = ({ records, worker, jobId }: Answering, kept: AnswerRecord): Promise<void> =>
  records.change(worker, jobId, (record) => ({
    ...record,
    answers: [...record.answers.filter(({ question }) => question !== kept.question), kept],
  }));

/** The hall may have died, or have given up waiting, after the dispatch and before it could note the id. */
async function findFollowUp(
  handle: WorkerHandle,
  job: WorkerStatus,
  { question, at }: AnswerRecord,
  known: Iterable<JobRecord>,
): Promise<JobId | null> {
  const description = followUpDescription(job.description, question);
  // Jobs with one name may ask the same: what carries another answer does not carry this one.
  const taken = new Set(Array.from(known).flatMap(({ answers }) => answers.map(({ followUp }) => followUp)));
  const { jobs } = await handle.list();
  const found = jobs.find(
    (each) => each.description === description && !taken.has(each.jobId) && Date.parse(each.startedAt ?? at) >= Date.parse(at),
  );
  return found?.jobId ?? null;
}

async function dispatchFollowUp({ handle, question, answer }: Answering, job: WorkerStatus): Promise<JobId> {
  // A result that cannot be read must not keep an answer from its worker.
  const found = job.status === "completed" ? await handle.result(job.jobId).catch(() => null) : null;
  return (await handle.dispatch(followUpOf({ job, question, answer, found: found?.output ?? null }))).jobId;
}
