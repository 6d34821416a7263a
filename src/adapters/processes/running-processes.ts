import { readdirSync, readFileSync } from "node:fs";
import { setImmediate as breathe } from "node:timers/promises";
import { lockLimitIn, marksIn } from "./mark.ts";
import { readProcStat } from "./proc-stat.ts";

export type RunningProcess = {
  pid: number;
  parent: number;
  group: number;
  /** When it began, only for comparison. The pid and this identify a process, also after the pid was reused. */
  started: string;
  /** Empty as well for a process that this user may not look into. */
  marks: readonly string[];
  /** Null where it has none. */
  lockLimit: string | null;
};

/** A look reads three files per process of the machine, so all calls during a look share the next one. */
export function createSharedLook(): () => Promise<RunningProcess[]> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<RunningProcess[]> | null = null;
  return () => {
    next ??= running.then(() => {
      next = null;
      const looking = lookAround();
      running = looking.catch(() => undefined);
      return looking;
    });
    return next;
  };
}

/** So many are looked at before others have their turn, which is a millisecond or two. */
const lookedAtOnce = 50;

/**
 * Everything that runs. What is dead and only not yet collected does not. The system answers at once about processes; to
 * wait for each answer would cost a turn of the loop each time, and a member that talks without end makes turns long.
 */
async function lookAround(): Promise<RunningProcess[]> {
  const seen: RunningProcess[] = [];
  for (const [at, name] of namesIn("/proc").entries()) {
    if (at % lookedAtOnce === lookedAtOnce - 1) await breathe();
    const stat = lifeIn(readOrNothing(`/proc/${name}/stat`));
    if (stat === null) continue;
    const marks = marksIn(readOrNothing(`/proc/${name}/environ`));
    seen.push({ pid: Number(name), ...stat, marks, lockLimit: lockLimitIn(readOrNothing(`/proc/${name}/limits`)) });
  }
  return seen;
}

/** Empty on a system without `/proc`, where children end with the hall anyway. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/**
 * Kills exactly this process. Another process may have got its pid since the look, so this checks again, synchronously.
 * Returns false if the process has ended or belongs to another user.
 */
export function killExactly({ pid, started }: Pick<RunningProcess, "pid" | "started">): boolean {
  try {
    return lifeIn(readFileSync(`/proc/${pid}/stat`, "latin1"))?.started === started && process.kill(pid, "SIGKILL");
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ESRCH", "EPERM"].includes(String(error.code))) return false;
    throw error;
  }
}

/** Processes of other users cannot be read, and any may end meanwhile. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

/** Null for what does not run. */
function lifeIn(stat: string): Omit<RunningProcess, "pid" | "marks" | "lockLimit"> | null {
  const { state = "", parent, group, started } = readProcStat(stat);
  return started === undefined || /^[ZX]/.test(state) ? null : { parent: Number(parent), group: Number(group), started };
}
