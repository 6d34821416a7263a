import { HallError } from "../../schema/hall-error.ts";
import { AnswerQuestion } from "../../schema/job.ts";
import type { JobDetail, JobQuestion } from "../../schema/job.ts";
import { checked } from "../checked.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { quoted, safeText } from "../safe-text.ts";
import { readWords } from "../session/read-words.ts";
import { typed } from "./dispatch.ts";
import { findJob } from "./find-job.ts";
import { followToResult } from "./follow-to-result.ts";
import type { AnswerFlags } from "./job-flags.ts";

type Wanted = { worker: string; wanted: string; words: readonly string[] };

/** A job takes no more words once it runs, so an answer begins a new one, whose id is the result. */
export async function answerQuestion({ worker: given, wanted, words }: Wanted, flags: AnswerFlags, context: CommandContext): Promise<void> {
  const { printer, shell } = context;
  const { client } = await findHall(flags.home, shell);
  const { worker, jobId } = await findJob(client.jobs, given, wanted);
  const question = chooseQuestion(await client.jobs.get(worker, jobId), flags.question);
  if (flags.dismiss === true) {
    if (words.length > 0) throw new HallError("bad_request", "Give an answer, or --dismiss where there is none to give, but not both.");
    const job = await client.jobs.dismiss(worker, jobId, question);
    return printer.result(job, `${quoted(question)} needs no answer any more.`);
  }
  const answer = checked(AnswerQuestion.shape.answer, await readWords(typed(words), shell), "The answer");
  const answered = await client.jobs.answer(worker, jobId, { question, answer });
  const { followUp } = answered;
  printer.progress(`${quoted(question)} is answered, and ${worker} has a new job with the answer: ${followUp}`);
  if (flags.follow === true) return followToResult({ client, worker, jobId: followUp }, context);
  printer.result(answered, followUp);
}

/** By its number among all that the job asked, as `show` counts them, or by a part of it. */
export function chooseQuestion({ asked, jobId }: Pick<JobDetail, "asked" | "jobId">, wanted: string | undefined): string {
  const open = asked.filter(({ isOpen }) => isOpen);
  // The only one is meant also where it is answered: whoever gives the same answer again is told the same job.
  const unnamed = open.length === 0 && asked.length === 1 ? asked : open;
  const [only, ...others] = wanted === undefined ? unnamed : asked.filter((each, at) => isMeant(each, at, wanted));
  if (asked.length === 0 || (wanted === undefined && only === undefined))
    throw new HallError("conflict", `${jobId} has no question that waits for an answer.`);
  if (only === undefined) throw new HallError("not_found", `${jobId} asked nothing like ${quoted(wanted ?? "")}:\n${linesOf(asked)}`);
  if (others.length > 0)
    throw new HallError("bad_request", `Say which question you answer, with --question and its number:\n${linesOf(asked)}`);
  return only.question;
}

const isMeant = ({ question }: JobQuestion, at: number, wanted: string): boolean =>
  /^\d+$/.test(wanted) ? Number(wanted) === at + 1 : question.toLowerCase().includes(wanted.toLowerCase());

const linesOf = (asked: readonly JobQuestion[]): string =>
  asked.map(({ question, isOpen }, at) => `  ${at + 1}. ${safeText(question)}${isOpen ? "" : " (settled)"}`).join("\n");
