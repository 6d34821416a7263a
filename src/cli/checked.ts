import type { z } from "zod";
import { HallError } from "../schema/hall-error.ts";

/** What was typed, if it is what the schema wants; otherwise a sentence that says whose value is wrong. */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, name: string): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues[0]?.message ?? "is not valid";
  throw new HallError("bad_request", `${name} ${message}${typeof value === "string" ? `, not ${sample(value)}` : ""}.`);
}

const sample = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text);
