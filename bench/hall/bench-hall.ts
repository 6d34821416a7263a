import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { benchLists } from "./bench-lists.ts";
import { benchStart } from "./bench-start.ts";

/** The whole hall from outside: how long until it serves, and what a page of a long list costs over HTTP. */
export async function benchHall(effort: Effort): Promise<BenchRow[]> {
  return [...(await benchStart()), ...(await benchLists(effort))];
}
