import { HallError } from "../../../schema/hall-error.ts";
import type { DispatchJob, JobDetail, JobId } from "../../../schema/job.ts";
import { Issue } from "../../../schema/problem.ts";
import { readDollars } from "../../format/dollars.ts";
import { sentenceOf } from "../../format/sentence-of.ts";
import { suggestName } from "../../format/suggest-name.ts";

/** What a dialog for a new job begins with. `again` is the job before, and `config` what it was given besides its limits. */
export type JobDraft = { again?: JobId; worker?: string; description?: string; task?: string; config?: Readonly<Record<string, unknown>> };

/** What somebody wrote, field by field. */
export type WrittenJob = { worker: string; description: string; task: string; turns: string; cost: string };

type JobFieldName = keyof WrittenJob;

/** What is wrong, beside the field it is in; `form` where it is in none. */
export type DispatchErrors = Partial<Record<JobFieldName | "form", string>>;

export const draftOf = ({ jobId, worker, description, task, config }: JobDetail): JobDraft => ({
  again: jobId,
  worker,
  description,
  ...(task === undefined ? {} : { task }),
  ...(config === undefined ? {} : { config }),
});

/** The limits of a draft as they stand in their fields. */
export const limitsOf = ({ config }: JobDraft): { turns: string; cost: string } => ({
  turns: figureOf(config?.["maxTurns"]),
  cost: figureOf(config?.["maxBudgetUsd"]),
});

const figureOf = (value: unknown): string => (typeof value === "number" ? String(value) : "");

/** What the hall is asked for, or what has to be put right before. */
export function readDispatch(written: WrittenJob, before: JobDraft = {}): { job: DispatchJob } | { errors: DispatchErrors } {
  const task = written.task.trim();
  const description = written.description.trim() === "" ? suggestName(task) : written.description.trim();
  const cost = readDollars(written.cost);
  const turns = written.turns.trim();
  if (written.worker === "") return { errors: { worker: "Choose who is to do it." } };
  if (task === "") return { errors: { task: "Write what the worker is to do." } };
  if (description === null) return { errors: { description: "Say in a few words what the job is." } };
  if (turns !== "" && !/^[1-9]\d{0,4}$/.test(turns))
    return { errors: { turns: "Write a whole number of turns, such as 60, or leave it empty." } };
  if (written.cost.trim() !== "" && cost === null)
    return { errors: { cost: "Write an amount in dollars, such as 1 or 2.50, or leave it empty." } };
  const { maxTurns: _turns, maxBudgetUsd: _budget, ...others } = before.config ?? {};
  const config = {
    ...others,
    ...(turns === "" ? {} : { maxTurns: Number(turns) }),
    ...(cost === null ? {} : { maxBudgetUsd: cost }),
  };
  return { job: { description, task, ...(Object.keys(config).length === 0 ? {} : { config }) } };
}

/** Where to tell what the hall found wrong. */
export function refusedDispatch(failure: unknown): DispatchErrors {
  const issues = failure instanceof HallError ? Issue.array().safeParse(failure.details["issues"]) : null;
  const errors: DispatchErrors = {};
  for (const { path, message } of issues?.data ?? []) {
    const field = fields.find(({ at }) => at.test(path));
    if (field !== undefined) errors[field.name] ??= `${field.says} ${message}.`;
  }
  return Object.keys(errors).length > 0 ? errors : { form: sentenceOf(failure, "send") };
}

const fields = [
  { name: "description", at: /^description/, says: "The description" },
  { name: "task", at: /^task/, says: "The task" },
  { name: "turns", at: /maxTurns/, says: "The limit" },
  { name: "cost", at: /maxBudgetUsd/, says: "The limit" },
] as const;
