import { constants } from "node:fs";
import type { Stats } from "node:fs";
import { lstat, open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { systemCode } from "../system-code.ts";

export type PlainFile = { file: FileHandle; stats: Stats; problem: null } | NoPlainFile;
type NoPlainFile = { file: null; problem: "link" | "folder" | "special" };

/** Opens a regular file for reading. Follows no link in the last place, and waits for no pipe. The caller closes it. */
export async function openPlainFile(path: string): Promise<PlainFile> {
  // Opening a device can already do something, so it is looked at first; and again when it is open, should it have been swapped.
  const seen = problemOf(await lstat(path));
  if (seen !== null) return { file: null, problem: seen };
  const opened = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(swapped);
  if (!("fd" in opened)) return opened;
  try {
    const stats = await opened.stat();
    const problem = problemOf(stats);
    if (problem === null) return { file: opened, stats, problem };
    await opened.close();
    return { file: null, problem };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Null for a regular file. */
export function problemOf(stats: Stats): NoPlainFile["problem"] | null {
  if (stats.isFile()) return null;
  if (stats.isSymbolicLink()) return "link";
  return stats.isDirectory() ? "folder" : "special";
}

/** It was a file a moment ago. */
function swapped(error: unknown): NoPlainFile {
  if (systemCode(error) === "ELOOP") return { file: null, problem: "link" };
  if (systemCode(error) === "ENXIO") return { file: null, problem: "special" };
  throw error;
}
