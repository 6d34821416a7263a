import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Layout } from "./layout.ts";
import { namesIn } from "./names-in.ts";

/**
 * A home that was copied while a hall worked in it names processes that work for the original: taken for ours, they would be
 * ended as orphans. So they are forgotten. Nothing is lost if this is cut off: it is done again.
 */
export async function disownProcesses({ agentStates, memberStates }: Layout): Promise<void> {
  for (const folder of [agentStates, memberStates]) {
    for (const name of await namesIn(folder)) if (/^[^.]+\.json$/.test(name)) await rm(join(folder, name), { force: true });
  }
}
