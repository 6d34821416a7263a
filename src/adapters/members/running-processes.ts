import { readdirSync, readFileSync } from "node:fs";
import { setImmediate as breathe } from "node:timers/promises";
import { readProcStat } from "../proc-stat.ts";
import { lockLimitIn } from "./lock-limit.ts";

/**
 * Every process of a member carries this variable, whose value no other process has: the proof that it is one of ours to end.
 * To a member that listens it is the proof that it is we who ask, since other users of the machine cannot read it.
 */
export const markName = "GUILD_HALL_MEMBER";

export type RunningProcess = {
  pid: number;
  parent: number;
  group: number;
  /** When it began, only to be compared. With the pid it tells one life of a process from every other. */
  started: string;
  /** Null where it has none, or is not ours to look into. */
  mark: string | null;
  /** Null where it has none. */
  lockLimit: string | null;
};

/** Looking costs three files per process of the machine, so whoever asks while somebody looks shares the next look. */
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
    const mark = markIn(readOrNothing(`/proc/${name}/environ`));
    seen.push({ pid: Number(name), ...stat, mark, lockLimit: lockLimitIn(readOrNothing(`/proc/${name}/limits`)) });
  }
  return seen;
}

/** A system that does not show its processes shows nobody, and members end all the same. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/**
 * Kills exactly this process. A pid may have gone to a stranger since somebody looked, so it is looked at once more,
 * without letting go of the thread in between. False where it is gone, or another user's.
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
function lifeIn(stat: string): Omit<RunningProcess, "pid" | "mark" | "lockLimit"> | null {
  const { state = "", parent, group, started } = readProcStat(stat);
  return started === undefined || /^[ZX]/.test(state) ? null : { parent: Number(parent), group: Number(group), started };
}

function markIn(environment: string): string | null {
  const found = environment.split("\0").find((each) => each.startsWith(`${markName}=`));
  return found === undefined ? null : found.slice(markName.length + 1);
}
