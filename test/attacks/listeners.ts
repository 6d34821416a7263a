import { readdir, readFile, readlink } from "node:fs/promises";

export type Listener = { pid: number; address: string; port: number };

/** Where these processes listen for TCP, as `/proc` has it. */
export async function listenersOf(pids: readonly number[]): Promise<Listener[]> {
  const tables = await Promise.all(["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8").catch(() => "")));
  const sockets = new Map(tables.flatMap((table) => listening(table)).map(({ inode, ...place }) => [`socket:[${inode}]`, place]));
  const found = pids.map(async (pid) => {
    const held = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const links = await Promise.all(held.map((number) => readlink(`/proc/${pid}/fd/${number}`).catch(() => "")));
    return links.flatMap((link) => sockets.get(link) ?? []).map((place) => ({ pid, ...place }));
  });
  return (await Promise.all(found)).flat();
}

const isListening = "0A";

function listening(table: string): { address: string; port: number; inode: string }[] {
  return table.split("\n").flatMap((line) => {
    const [, local = "", , state = "", , , , , , inode = ""] = line.trim().split(/\s+/);
    const [address = "", port = ""] = local.split(":");
    return state === isListening ? [{ address: readable(address), port: Number.parseInt(port, 16), inode }] : [];
  });
}

/** The kernel writes an address as a number of the machine's own byte order; one of IPv6 is left as it is. */
const readable = (hex: string): string =>
  hex.length === 8
    ? (hex.match(/../g) ?? [])
        .toReversed()
        .map((byte) => Number.parseInt(byte, 16))
        .join(".")
    : hex;
