import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { AgentIdentity, ProcessIdentity } from "./job.ts";

/** Null where no such process runs. */
export function identify(pid: number): ProcessIdentity | null {
  const started = process.platform === "linux" ? startedByProc(pid) : startedByPs(pid);
  return started === null ? null : { pid, started };
}

/** The same, with the folder it works for. */
export function identifyAgent(pid: number, folder: string): AgentIdentity | null {
  const identity = identify(pid);
  return identity === null ? null : { ...identity, folder: folderIdentity(folder) };
}

/** False for a job that was copied, whose agent is the original's. */
export const worksFor = (agent: AgentIdentity, folder: string): boolean =>
  agent.folder === undefined || agent.folder === folderIdentity(folder);

/** The same for as long as a folder exists, wherever it is moved; a copy of it has another. */
function folderIdentity(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  return `${dev}:${ino}`;
}

/** Ends a process that should not be there any more, and all of its group if it leads one. Whoever got its number since is left alone. */
export async function endProcess(identity: ProcessIdentity): Promise<void> {
  const until = Date.now() + patienceMs;
  while (identify(identity.pid)?.started === identity.started) {
    if (Date.now() > until) throw new Error(`process ${identity.pid}, which an earlier run left behind, cannot be ended`);
    kill(-identity.pid);
    kill(identity.pid);
    await pause(20);
  }
}

const patienceMs = 5000;

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // It has gone meanwhile, or leads no group of ours.
    if (!(error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM"))) throw error;
  }
}

/** Counted from the start of the machine, so the machine's start belongs to it. */
function startedByProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses, and a name may hold spaces and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const isOver = fields[0] === "Z" || fields[0] === "X";
    return isOver ? null : `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}/${fields[19]}`;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH")) return null;
    throw error;
  }
}

function startedByPs(pid: number): string | null {
  try {
    // Dates are printed for comparing, so neither language nor time zone may change them.
    const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
    const line = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [, state, started] = /^\s*(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    return state === undefined || started === undefined || state.startsWith("Z") ? null : started;
  } catch (error) {
    // `ps` answers with an exit code where there is no such process.
    if (error instanceof Error && "status" in error) return null;
    throw error;
  }
}
