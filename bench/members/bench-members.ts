import type { BenchRow } from "../bench-row.ts";
import { benchCalls } from "./bench-calls.ts";
import { benchMany } from "./bench-many.ts";

/** What the hall adds to a call of a tool, and how it bears fifty members. */
export async function benchMembers(): Promise<BenchRow[]> {
  return [...(await benchCalls()), ...(await benchMany())];
}
