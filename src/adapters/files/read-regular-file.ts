import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { systemCode } from "./file-failure.ts";

export type RegularFile = { bytes: Buffer; problem: null } | { bytes: null; problem: "link" | "special" | "large" };

/** Reads what somebody else put there: follows no link in the last place, waits for no pipe, and takes at most so many bytes. */
export async function readRegularFile(path: string, mostBytes: number): Promise<RegularFile> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const problem = systemCode(error) === "ELOOP" ? "link" : systemCode(error) === "ENXIO" ? "special" : null;
    if (problem === null) throw error;
    return { bytes: null, problem };
  }
  try {
    const found = await file.stat();
    if (!found.isFile()) return { bytes: null, problem: "special" };
    if (found.size > mostBytes) return { bytes: null, problem: "large" };
    return { bytes: await readUpTo(file, found.size), problem: null };
  } finally {
    await file.close();
  }
}

/** Less where it shrank in the meantime. */
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
