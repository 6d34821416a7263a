import type { z } from "zod";
import { HallError } from "../../../schema/hall-error.ts";
import { Issue } from "../../../schema/problem.ts";
import type { CreateSession } from "../../../schema/session.ts";
import { readDollars } from "../../format/dollars.ts";
import { sentenceOf } from "../../format/sentence-of.ts";
import { unnamed } from "../../format/suggest-name.ts";

/** What somebody wrote, field by field. */
export type NewSession = { name: string; context: string; members: readonly string[]; model: string; limit: string };

/** What is wrong, beside the field it is in; `form` where it is in none. */
export type NewSessionErrors = Partial<Record<"name" | "context" | "members" | "model" | "limit" | "form", string>>;

/** What the hall is asked for, or what has to be put right before. */
export function readNewSession(written: NewSession): { request: z.input<typeof CreateSession> } | { errors: NewSessionErrors } {
  const { name, context, members, model, limit } = written;
  const maxCostUsd = readDollars(limit);
  if (limit.trim() !== "" && maxCostUsd === null)
    return { errors: { limit: "Write an amount in dollars, such as 5 or 2.50, or leave it empty." } };
  return {
    request: {
      name: name.trim() === "" ? unnamed : name.trim(),
      members: [...members],
      ...(context.trim() === "" ? {} : { context }),
      ...(model.trim() === "" ? {} : { model: model.trim() }),
      ...(maxCostUsd === null ? {} : { limits: { maxCostUsd } }),
    },
  };
}

/** Where to tell what the hall found wrong. */
export function refusedNewSession(failure: unknown): NewSessionErrors {
  const issues = failure instanceof HallError ? Issue.array().safeParse(failure.details["issues"]) : null;
  const errors: NewSessionErrors = {};
  for (const { path, message } of issues?.data ?? []) {
    const field = fields.find(({ at }) => at.test(path));
    if (field !== undefined) errors[field.name] ??= `${field.says} ${message}.`;
  }
  return Object.keys(errors).length > 0 ? errors : { form: sentenceOf(failure, "send") };
}

const fields = [
  { name: "name", at: /^name/, says: "The name" },
  { name: "context", at: /^context/, says: "The context" },
  { name: "members", at: /^members/, says: "The list of members" },
  { name: "model", at: /^model/, says: "The model" },
  { name: "limit", at: /^limits/, says: "The limit" },
] as const;
