import { z } from "zod";
import type { HallClient } from "../../client/hall-client.ts";
import { MemberName } from "../../schema/ids.ts";
import { JobStatus } from "../../schema/job.ts";
import type { Job, JobList } from "../../schema/job.ts";
import { money } from "../../schema/money.ts";
import { checked } from "../checked.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { safeText } from "../safe-text.ts";
import { table } from "../table.ts";
import type { ListFlags } from "./job-flags.ts";

const atLeastOne = "must be a whole number, at least 1";
const Limit = z.coerce.number(atLeastOne).int(atLeastOne).min(1, atLeastOne);
const Status = z.enum(JobStatus.options, "must be running, completed, failed or cancelled");

export async function listJobs(flags: ListFlags, { printer, shell }: CommandContext): Promise<void> {
  const limit = checked(Limit, flags.limit ?? "50", "--limit");
  const query = {
    ...(flags.worker === undefined ? {} : { worker: checked(MemberName, flags.worker, "--worker") }),
    ...(flags.status === undefined ? {} : { status: flags.status.map((status) => checked(Status, status, "--status")) }),
    ...(flags.filter === undefined ? {} : { filter: flags.filter }),
    ...(flags.needsYou === true ? { needsYou: true } : {}),
    ...(flags.hidden === true ? { hidden: true } : {}),
  };
  const { client } = await findHall(flags.home, shell);
  const list = await readList(client, query, limit);
  for (const { worker, jobs, reason } of list.missing)
    printer.progress(
      safeText(jobs === "all" ? `${worker} could not be asked: ${reason}` : `Not all jobs of ${worker} are listed. ${reason}`),
    );
  printer.result(list, report(list, Object.keys(query).length > 0));
  if (list.nextCursor !== null) printer.progress(`These are the newest ${limit}. For more: --limit ${limit * 10}`);
}

const pageSize = 500;

async function readList(client: HallClient, query: Parameters<HallClient["jobs"]["list"]>[0], limit: number): Promise<JobList> {
  const list = await client.jobs.list({ ...query, limit: Math.min(limit, pageSize) });
  while (list.nextCursor !== null && list.jobs.length < limit) {
    const wanted = Math.min(limit - list.jobs.length, pageSize);
    const { jobs, nextCursor } = await client.jobs.list({ ...query, limit: wanted, cursor: list.nextCursor });
    list.jobs.push(...jobs);
    list.nextCursor = nextCursor;
  }
  return list;
}

function report({ jobs }: JobList, isFiltered: boolean): string {
  if (jobs.length === 0)
    return isFiltered ? "No job is like that." : "There are no jobs. Begin one with: guild-hall job dispatch <worker> <task>";
  const rows = table(jobs.map(row));
  return jobs.flatMap((job, at) => [rows[at] ?? "", ...below(job)]).join("\n");
}

const row = ({ worker, jobId, status, startedAt, usage, description, hidden }: Job): string[] => [
  worker,
  jobId,
  `${status}${hidden ? " (hidden)" : ""}`,
  startedAt === null ? "" : `${startedAt.slice(0, 16).replace("T", " ")}Z`,
  usage === null ? "" : money(usage.costUsd),
  oneLine(description),
];

function below({ status, summary, openQuestions }: Job): string[] {
  return [
    ...(status === "running" && summary !== null ? [`    ${oneLine(summary)}`] : []),
    ...(openQuestions === 0 ? [] : [`    ${openQuestions} ${openQuestions === 1 ? "question waits" : "questions wait"} for your answer`]),
  ];
}

const oneLine = (text: string): string => safeText(text).replaceAll(/\s+/g, " ");
