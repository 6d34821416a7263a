import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Empties a folder that processes which are gone have left things in. What cannot be removed is in nobody's way. */
export async function clearFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  await Promise.allSettled(names.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
