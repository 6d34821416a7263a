import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { benchCalls } from "./bench-calls.ts";
import { benchMany } from "./bench-many.ts";

/** What the hall adds to a call of a tool, and how it bears fifty members. */
export async function benchMembers(effort: Effort): Promise<BenchRow[]> {
  return [...(await benchCalls(effort)), ...(await benchMany(effort))];
}
