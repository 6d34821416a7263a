import { z } from "zod";
import { HallError } from "../../schema/hall-error.ts";
import type { Issue } from "./issue.ts";
import type { Path } from "./json.ts";

const Issues = z.array(z.object({ path: z.string(), message: z.string() }));

/** What the hall found wrong with an input, at its places. */
export function refusedIssues(failure: unknown): Issue[] {
  if (!(failure instanceof HallError) || failure.code !== "bad_request") return [];
  const issues = Issues.safeParse(failure.details["issues"]);
  return issues.success ? issues.data.map(({ path, message }) => ({ path: placeOf(path), message: asSentence(message) })) : [];
}

/** The hall writes a place as `session.roles[2]`. */
function placeOf(text: string): Path {
  return [...text.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([step, index]) => (index === undefined ? step : Number(index)));
}

const asSentence = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? "" : "."}`;
