import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { readProcStat } from "../../src/adapters/processes/proc-stat.ts";

/** One life of a process: a pid alone could belong to another program by now. */
export type ProcessLife = { pid: number; started: string };

/** The processes at the head of a group that the hall of this home started: its agents, and its members without their own agents. */
export function leadersStartedBy(home: string): { agents: ProcessLife[]; members: ProcessLife[] } {
  const leaders = readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    const { state = "Z", group, started } = readProcStat(read(`/proc/${name}/stat`));
    if (!Number.isInteger(pid) || started === undefined || isOver(state) || Number(group) !== pid) return [];
    const env = read(`/proc/${name}/environ`).split("\0");
    return [{ pid, started, isAgent: has(env, `CLAUDE_CONFIG_DIR=${home}/`), isMember: has(env, `HOME=${home}/`) }];
  });
  return { agents: leaders.filter(({ isAgent }) => isAgent), members: leaders.filter(({ isAgent, isMember }) => isMember && !isAgent) };
}

export function isAlive({ pid, started }: ProcessLife): boolean {
  const found = readProcStat(read(`/proc/${pid}/stat`));
  return found.started === started && !isOver(found.state ?? "Z");
}

/** Looks every millisecond. Resolves with the moment at which none of them was alive, or null if some still are at `deadline`. */
export async function untilGone(lives: readonly ProcessLife[], deadline: number): Promise<number | null> {
  while (lives.some(isAlive)) {
    if (performance.now() > deadline) return null;
    await pause(1);
  }
  return performance.now();
}

/** A zombie has ended and only waits to be collected. */
const isOver = (state: string): boolean => /^[ZX]/.test(state);

const has = (env: readonly string[], beginning: string): boolean => env.some((line) => line.startsWith(beginning));

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
