import { readdir, readFile } from "node:fs/promises";

/** The processes whose environment names this folder: what a hall on that home has started. Only where there is /proc. */
export async function processesOf(home: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(async (pid) => ((await environmentOf(pid)).includes(`=${home}/`) ? [pid] : [])));
  return found.flat();
}

const environmentOf = (pid: number): Promise<string> => readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
