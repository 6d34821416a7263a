import { isWorker } from "../schema/manifest.ts";
import type { Member } from "../schema/roster.ts";

/** What a member is good for, in a few words of a list. */
export function memberOffer({ toolCount, capabilities }: Pick<Member, "toolCount" | "capabilities">): string {
  if (toolCount === 0 && isWorker({ capabilities })) return "takes jobs";
  return `${toolCount} ${toolCount === 1 ? "tool" : "tools"}`;
}
