import type { FileHandle } from "node:fs/promises";
import { openPlainFile } from "./plain-file.ts";
import type { PlainFile } from "./plain-file.ts";

export type RegularFile = { bytes: Buffer; problem: null } | { bytes: null; problem: "link" | "folder" | "special" | "large" };

/** Reads a file from an untrusted source: does not follow a link in the last place or wait for a pipe, and refuses a file above the limit. */
export const readRegularFile = async (path: string, mostBytes: number): Promise<RegularFile> =>
  readAll(await openPlainFile(path), mostBytes);

/** Reads the file and closes it. */
export async function readAll(opened: PlainFile, mostBytes: number): Promise<RegularFile> {
  if (opened.file === null) return { bytes: null, problem: opened.problem };
  const { file, stats } = opened;
  try {
    if (stats.size > mostBytes) return { bytes: null, problem: "large" };
    return { bytes: await readUpTo(file, stats.size), problem: null };
  } finally {
    await file.close();
  }
}

/** Less if it has shrunk since. */
async function readUpTo(file: FileHandle, size: number): Promise<Buffer> {
  const into = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.read(into, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return into.subarray(0, filled);
}
