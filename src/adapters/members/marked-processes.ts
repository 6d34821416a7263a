import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

/** Every process of a member carries this variable, whose value no other process has: the proof that it is one of ours to end. */
export const markName = "GUILD_HALL_MEMBER";

export type MarkedProcesses = {
  /** Kills every process that carries the mark, until none is left. Answers whether there were any. */
  endAll(mark: string): Promise<boolean>;
};

/** Long enough for a machine under load to let go of killed processes; what hangs in the kernel longer cannot be helped. */
const patience = { rounds: 50, pauseMs: 20 };

/**
 * A process that left the group of its member still has its environment, which Linux shows in `/proc`. Elsewhere only
 * the group is ended.
 */
export function createMarkedProcesses(platform: NodeJS.Platform = process.platform): MarkedProcesses {
  const look = createSharedLook();
  return {
    async endAll(mark) {
      if (platform !== "linux") return false;
      let found = false;
      for (let round = 0; round < patience.rounds; round += 1) {
        const left = (await look()).get(mark) ?? [];
        if (left.length === 0) break;
        found = true;
        for (const pid of left) kill(pid);
        await pause(patience.pauseMs);
      }
      return found;
    },
  };
}

/** Looking costs a file per process of the machine, so whoever asks while somebody looks shares the next look. */
function createSharedLook(): () => Promise<Map<string, number[]>> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Map<string, number[]>> | null = null;
  return () => {
    next ??= running.then(() => {
      next = null;
      const looking = findMarked();
      running = looking.catch(() => undefined);
      return looking;
    });
    return next;
  };
}

async function findMarked(): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  for (const pid of pids) {
    const mark = await markOf(pid);
    if (mark !== null) found.set(mark, [...(found.get(mark) ?? []), pid]);
  }
  return found;
}

/** Processes of other users cannot be read, and one that is dead but not yet collected has no environment. */
async function markOf(pid: number): Promise<string | null> {
  const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
  const start = `\0${environment}`.indexOf(`\0${markName}=`);
  if (start === -1) return null;
  const value = environment.slice(start + markName.length + 1);
  const end = value.indexOf("\0");
  return end === -1 ? value : value.slice(0, end);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // It went by itself in the meantime.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
