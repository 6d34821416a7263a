import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { benchHelp } from "./bench-help.ts";
import { benchLists } from "./bench-lists.ts";
import { benchStart } from "./bench-start.ts";

/** The whole hall from outside: how long until it says what there is and until it serves, and what a page of a long list costs over HTTP. */
export async function benchHall(effort: Effort): Promise<BenchRow[]> {
  return [...(await benchHelp(effort)), ...(await benchStart()), ...(await benchLists(effort))];
}
