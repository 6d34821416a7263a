import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isAboutThisProcess } from "../file-failure.ts";
import { readRegularFile } from "../../paths/read-regular-file.ts";
import type { BundledStamp } from "./bundled-stamps.ts";

/** No file that the hall brings is larger; a larger one is not the hall's. */
const mostBytes = 16 * 1024 * 1024;

/** A member's own files, by their paths below its folder. Its work, its packages and hidden files are not part of it. */
export async function* memberFiles(folder: string, below = ""): AsyncGenerator<{ path: string; isFile: boolean }> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (!(below === "" ? isPartOfMember : isPart)(entry.name)) continue;
    if (entry.isDirectory()) yield* memberFiles(folder, path);
    else yield { path, isFile: entry.isFile() };
  }
}

/** For what lies directly in a member's folder; its work does too. */
export const isPartOfMember = (name: string): boolean => isPart(name) && name !== "jobs" && name !== "memory";

const isPart = (name: string): boolean => name !== "node_modules" && !name.startsWith(".");

/** Whether every file can be read and is as the stamp has it. Stops at the first that is not, so a folder full of other things costs nothing. */
export async function isUntouched(folder: string, files: BundledStamp["files"]): Promise<boolean> {
  try {
    return await matches(folder, files);
  } catch (error) {
    if (isAboutThisProcess(error)) throw error;
    return false;
  }
}

async function matches(folder: string, files: BundledStamp["files"]): Promise<boolean> {
  const seen = new Set<string>();
  for await (const { path } of memberFiles(folder)) {
    const allowed = Object.hasOwn(files, path) ? files[path] : undefined;
    if (allowed === undefined || !allowed.includes(await hashFile(join(folder, path)))) return false;
    seen.add(path);
  }
  return Object.entries(files).every(([path, allowed]) => seen.has(path) || allowed.includes(null));
}

/** Empty for what cannot be one of the hall's files, such as a link, whatever it leads to. */
async function hashFile(path: string): Promise<string> {
  const { bytes } = await readRegularFile(path, mostBytes);
  return bytes === null ? "" : hashOf(bytes);
}

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
