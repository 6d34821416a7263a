import type { z } from "zod";

/** What is wrong with a value, where its schema has no words of its own. Reads on after the name of the value: `is missing`. */
export const plainWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === "too_small") return `must ${measure[issue.origin] ?? "be"} at least ${issue.minimum}${units[issue.origin] ?? ""}`;
  if (issue.code === "too_big") return `must ${measure[issue.origin] ?? "be"} at most ${issue.maximum}${units[issue.origin] ?? ""}`;
  if (issue.input === undefined) return "is missing";
  if (issue.code === "invalid_type") return `must be ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value") return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
  return "is not in a form that is understood here";
};

const kinds: Partial<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const measure: Partial<Record<string, string>> = { string: "have", array: "hold", set: "hold", map: "hold" };
const units: Partial<Record<string, string>> = { string: " characters" };
