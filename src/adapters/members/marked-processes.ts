import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

/** Every process of a member carries this variable, whose value no other process has: the proof that it is one of ours to end. */
export const markName = "GUILD_HALL_MEMBER";

export type MarkedProcesses = {
  /**
   * Kills every process that carries the mark, and waits until they are gone, and whoever else was in the group that the
   * member led. Answers whether there was anybody to kill.
   */
  endAll(mark: string, leader: number | null): Promise<boolean>;
};

/** Long enough for a machine under load to let go of killed processes; what hangs in the kernel longer cannot be helped. */
const patience = { rounds: 250, pauseMs: 20 };

/**
 * A process that left the group of its member still has its environment, which Linux shows in `/proc`. Elsewhere only
 * the group is ended.
 */
export function createMarkedProcesses(platform: NodeJS.Platform = process.platform): MarkedProcesses {
  const look = createSharedLook();
  return {
    async endAll(mark, leader) {
      if (platform !== "linux") return false;
      /** A process on its way out has no environment any more, but is still there. */
      const killed = new Set<number>();
      for (let round = 0; round < patience.rounds; round += 1) {
        const seen = await look();
        const marked = seen.filter((each) => each.mark === mark);
        for (const { pid } of marked) {
          kill(pid);
          killed.add(pid);
        }
        if (!seen.some(({ pid, group }) => killed.has(pid) || group === leader)) break;
        await pause(patience.pauseMs);
      }
      return killed.size > 0;
    },
  };
}

type Seen = { pid: number; group: number; mark: string | null };

/** Looking costs two files per process of the machine, so whoever asks while somebody looks shares the next look. */
function createSharedLook(): () => Promise<Seen[]> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Seen[]> | null = null;
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

/** Everything that runs. What is dead and only not yet collected does not. */
async function lookAround(): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readOrNothing(`/proc/${name}/stat`);
    // The name of the program stands in parentheses and may itself contain some.
    const [state = "X", , group = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (stat === "" || state === "Z" || state === "X") continue;
    seen.push({ pid: Number(name), group: Number(group), mark: markIn(await readOrNothing(`/proc/${name}/environ`)) });
  }
  return seen;
}

/** Processes of other users cannot be read, and any may end meanwhile. */
const readOrNothing = (path: string): Promise<string> => readFile(path, "latin1").catch(() => "");

function markIn(environment: string): string | null {
  const found = environment.split("\0").find((each) => each.startsWith(`${markName}=`));
  return found === undefined ? null : found.slice(markName.length + 1);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // It went by itself in the meantime.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
