import type { JobDetail, JobQuestion, JobUsage } from "../../schema/job.ts";
import { money } from "../../schema/money.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { createOutput } from "../output.ts";
import { safeText } from "../safe-text.ts";
import { table } from "../table.ts";
import { decisionText } from "./event-line.ts";
import { findJob } from "./find-job.ts";
import type { HomeFlag } from "./job-flags.ts";

export async function showJob(given: string, wanted: string, flags: HomeFlag, { printer, shell }: CommandContext): Promise<void> {
  const { client } = await findHall(flags.home, shell);
  const { worker, jobId } = await findJob(client.jobs, given, wanted);
  const job = await client.jobs.get(worker, jobId);
  printer.result(job, report(job, createOutput(shell).clean));
}

function report(job: JobDetail, clean: (text: string) => string): string {
  const { task, asked, decisions } = job;
  return [
    table(facts(job)).join("\n"),
    ...(task === undefined ? [] : [section("task", [clean(task.trim())])]),
    ...(asked.length === 0 ? [] : [section("questions", asked.map(questionText))]),
    ...(decisions === null || decisions.length === 0 ? [] : [section("decisions", decisions.map(decisionText).map(safeText))]),
  ].join("\n\n");
}

const facts = ({ description, worker, jobId, status, summary, error, startedAt, completedAt, usage, hidden }: JobDetail): string[][] => [
  ["job", safeText(description)],
  ["id", jobId],
  ["worker", worker],
  ["status", `${status}${hidden ? ", hidden" : ""}`],
  ...(error === null ? [] : [["error", safeText(error)]]),
  ...(summary === null ? [] : [["summary", safeText(summary).replaceAll(/\s+/g, " ")]]),
  ["began", startedAt],
  ...(completedAt === null ? [] : [["ended", completedAt]]),
  ...(usage === null || usage === undefined ? [] : usageFacts(usage)),
];

const usageFacts = ({ turns, maxTurns, costUsd, maxBudgetUsd }: JobUsage): string[][] => [
  ["turns", `${turns}${maxTurns === null ? "" : ` of at most ${maxTurns}`}`],
  ["cost", `${money(costUsd)}${maxBudgetUsd === null ? "" : ` of at most ${money(maxBudgetUsd)}`}`],
];

function questionText({ question, isOpen, answer }: JobQuestion, at: number): string {
  const head = `${at + 1}. ${safeText(question)}`;
  if (isOpen && answer !== null)
    return `${head}\n   waits for your answer: what you wrote did not reach the worker. Send it again: ${safeText(answer.text)}`;
  if (isOpen) return `${head}\n   waits for your answer`;
  if (answer === null) return `${head}\n   was dismissed`;
  return `${head}\n   ${safeText(answer.text)}${answer.followUp === null ? "" : ` (job ${answer.followUp})`}`;
}

/** Set in, so that nothing of it can pass for another section. */
const section = (head: string, texts: readonly string[]): string =>
  [head, ...texts.flatMap((text) => text.split("\n")).map((line) => `  ${line}`.trimEnd())].join("\n");
