import { readdir, readFile } from "node:fs/promises";

/** What the kernel says about processes. Only where there is /proc, so on Linux. */

/** The memory of some processes together that is in use right now. */
export async function residentMebibytes(...pids: readonly number[]): Promise<number> {
  const sizes = await Promise.all(pids.map(async (pid) => Number(/VmRSS:\s+(\d+) kB/.exec(await textOf(pid, "status"))?.[1] ?? 0) / 1024));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The seconds of a processor that a process has used itself, and those of what it had started and has ended. */
export async function processorSeconds(pid: number): Promise<{ own: number; ofEnded: number }> {
  const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = (await fieldsOf(pid)).slice(11, 15).map(Number);
  return { own: (user + system) / ticksPerSecond, ofEnded: (userOfEnded + systemOfEnded) / ticksPerSecond };
}

/** All that a process has started, and what those have, without itself. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map(await Promise.all(pids.map(async (each) => [each, Number((await fieldsOf(each))[1] ?? 0)] as const)));
  const isBelow = (each: number): boolean => {
    const parent = parents.get(each);
    return parent !== undefined && parent > 0 && (parent === pid || isBelow(parent));
  };
  return pids.filter(isBelow);
}

/** What Linux counts in, on every machine it runs on today. */
const ticksPerSecond = 100;

/** From the third field on: the second is a name in parentheses, which may hold anything. */
async function fieldsOf(pid: number): Promise<string[]> {
  const stat = await textOf(pid, "stat");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Empty for one that has ended. */
const textOf = (pid: number, name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
