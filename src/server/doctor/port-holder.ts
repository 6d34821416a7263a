import { readFile, readdir, readlink } from "node:fs/promises";

export type PortHolder = { pid: number; name: string };

/** Who listens on a port, as far as Linux lets this user see. Other systems, and processes of other users, give null. */
export async function findPortHolder(port: number): Promise<PortHolder | null> {
  const sockets = await listeningSockets(port);
  if (sockets.size === 0) return null;
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const holders = await Promise.all(pids.map(async (pid) => ((await holdsAny(pid, sockets)) ? pid : null)));
  const pid = holders.find((holder) => holder !== null);
  if (pid === undefined) return null;
  return { pid: Number(pid), name: (await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "a program")).trim() };
}

/** The fourth column is the state, 0A for listening; the tenth is the socket's inode. */
async function listeningSockets(port: number): Promise<Set<string>> {
  const tables = await Promise.all(["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFile(path, "utf8").catch(() => "")));
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = tables.flatMap((table) => table.split("\n").map((line) => line.trim().split(/\s+/)));
  return new Set(rows.filter((row) => row[1]?.endsWith(wanted) === true && row[3] === "0A").map((row) => `socket:[${row[9] ?? ""}]`));
}

async function holdsAny(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const descriptors = await readdir(folder).catch(() => []);
  const targets = await Promise.all(descriptors.map((name) => readlink(`${folder}/${name}`).catch(() => "")));
  return targets.some((target) => sockets.has(target));
}
