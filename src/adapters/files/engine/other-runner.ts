import { lifeOf } from "../process-identity.ts";
import type { ProcessIdentity } from "../process-identity.ts";
import type { LeaseDocument } from "./job-documents.ts";

/**
 * Whether another process surely holds this lease. To be asked by the owner of the folder's lock, who knows that every other
 * owner is gone; a runner that lives nevertheless means that somebody deleted the lock file, and then its word counts.
 */
export async function hasOtherRunner(lease: LeaseDocument | null, thisProcess: ProcessIdentity): Promise<boolean> {
  if (lease === null || lease.released) return false;
  if (lease.runner.pid === thisProcess.pid && lease.runner.started === thisProcess.started) return false;
  return (await lifeOf(lease.runner)) === "running";
}
