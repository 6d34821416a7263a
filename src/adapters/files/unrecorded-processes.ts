import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { systemCode } from "./file-failure.ts";
import { identifyAtOnce } from "./process-identity.ts";
import type { Place, ProcessIdentity } from "./process-identity.ts";

/**
 * Kills whoever has this at the beginning of one of their variables, and answers who they were. A hall that is killed in the
 * very moment in which it starts a process leaves no record of it, and its environment is all there is to know it by. Only
 * where there is /proc; elsewhere such a one ends when it finds that nobody speaks to it.
 */
export function killUnrecorded(variable: string, here: Place): ProcessIdentity[] {
  if (process.platform !== "linux") return [];
  const ours = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return ours.flatMap((name) => whereItRuns(() => killIfMarked(Number(name), variable, here)) ?? []);
}

/** Without letting go of the thread between the look and the signal, so that the pid cannot go to a stranger. */
function killIfMarked(pid: number, variable: string, here: Place): ProcessIdentity | null {
  const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  // Another container may have a folder of the same name.
  const isHere = () => readlinkSync(`/proc/${pid}/ns/mnt`) === readlinkSync("/proc/self/ns/mnt");
  if (!variables.some((each) => each.startsWith(variable)) || !isHere()) return null;
  const identity = identifyAtOnce(pid, here);
  if (identity !== null) process.kill(pid, "SIGKILL");
  return identity;
}

/** Those of other users cannot be read, and any may end meanwhile. */
function whereItRuns<Answer>(look: () => Answer): Answer | null {
  try {
    return look();
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(systemCode(error) ?? "")) return null;
    throw error;
  }
}
