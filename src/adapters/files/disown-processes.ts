import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Disk } from "./disk.ts";
import { leaseDocument } from "./engine/job-documents.ts";
import type { Layout } from "./layout.ts";
import { namesIn } from "./names-in.ts";

/**
 * A home that was copied while a hall worked in it names processes that work for the original: taken for ours, they would be
 * ended as orphans, or waited for. So they are forgotten. A lease stays, because what was begun must not be begun again, and
 * nobody holds it any more. Nothing is lost where this is cut off: it is done again.
 */
export async function disownProcesses({ agentStates, memberStates, queries }: Layout, on: Disk): Promise<void> {
  for (const folder of [agentStates, memberStates]) {
    for (const name of await namesIn(folder)) if (/^[^.]+\.json$/.test(name)) await rm(join(folder, name), { force: true });
  }
  for (const name of await namesIn(queries.open)) {
    if (!/\.lease-\d+\.json$/.test(name)) continue;
    const path = join(queries.open, name);
    // One that somebody broke is told by whoever reads it next, and counts as held by nobody.
    const lease = await leaseDocument.read(path).catch(() => null);
    if (lease !== null) await leaseDocument.write(path, { ...lease, runner: { ...lease.runner, started: nobody } }, on);
  }
}

/** No process began then. */
const nobody = "elsewhere";
