import { readdir, readFile, readlink } from "node:fs/promises";

/** The processes whose environment names this folder: what a hall on that home has started. Only where there is /proc. */
export async function processesOf(home: string): Promise<number[]> {
  return allWhere(async (pid) => (await environmentOf(pid)).includes(`=${home}/`));
}

/** Those of them that no other of them has started. */
export async function leadersOf(home: string): Promise<number[]> {
  const pids = await processesOf(home);
  const parents = await Promise.all(pids.map(parentOf));
  return pids.filter((_, index) => parents[index] !== gone && !pids.includes(parents[index] ?? gone));
}

/** Everything that works in a folder whose path begins like this, whatever became of its environment: halls, agents, members and all they started. */
export async function processesIn(beginning: string): Promise<number[]> {
  const isThere = async (pid: number) => (await environmentOf(pid)).includes(`=${beginning}`) || (await placeOf(pid)).startsWith(beginning);
  return allWhere(async (pid) => pid !== process.pid && (await isThere(pid)));
}

/** One sentence for each that is still there, with what it runs and who started it, for it is gone when somebody looks. */
export async function sayOfEach(pids: readonly number[], what: string): Promise<string[]> {
  return Promise.all(
    pids.map(async (pid) => {
      const command = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).replaceAll("\0", " ").slice(0, 100);
      return `Process ${pid} of ${await parentOf(pid)} (${command.trim()}) ${what}.`;
    }),
  );
}

export function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself in this very moment.
  }
}

async function allWhere(isOne: (pid: number) => Promise<boolean>): Promise<number[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(async (pid) => ((await isOne(pid)) ? [pid] : [])));
  return found.flat();
}

const gone = 0;

/** The second field is a name in parentheses, which may hold anything. */
async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? gone);
}

const environmentOf = (pid: number): Promise<string> => readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
const placeOf = (pid: number): Promise<string> => readlink(`/proc/${pid}/cwd`).catch(() => "");
