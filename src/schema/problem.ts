import { z } from "zod";
import { ErrorCode, errorMeanings } from "./error-code.ts";
import type { HallError } from "./hall-error.ts";
import { ReachedLimit } from "./spending.ts";

export const Issue = z.object({ path: z.string(), message: z.string() });
export type Issue = z.infer<typeof Issue>;

/** The body of every error answer: `application/problem+json` (RFC 9457). */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: ErrorCode,
  issues: z.array(Issue).optional(),
  /** With `budget`: which limit is used up. */
  reached: ReachedLimit.optional(),
});
export type Problem = z.infer<typeof Problem>;

export function problemOf(error: HallError): Problem {
  const { status, title } = errorMeanings[error.code];
  const issues = z.array(Issue).safeParse(error.details["issues"]);
  const reached = ReachedLimit.safeParse(error.details);
  return {
    type: `urn:guild-hall:error:${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    ...(issues.success && issues.data.length > 0 ? { issues: issues.data } : {}),
    ...(error.code === "budget" && reached.success ? { reached: reached.data } : {}),
  };
}
