import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { HallError } from "../../schema/hall-error.ts";

/** Makes a folder with these files, all of it at one instant: a hall that watches never sees half a member. */
export async function writeFolder(folder: string, files: Record<string, string>): Promise<void> {
  // A hall takes folders of such a name for what a crash left, and clears them away when it starts.
  const coming = join(dirname(folder), `.new-${basename(folder)}-${process.pid}.tmp`);
  try {
    await mkdir(coming, { recursive: true, mode: 0o700 });
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(coming, path)), { recursive: true, mode: 0o700 });
      await writeFile(join(coming, path), text, { mode: 0o600 });
    }
    await rename(coming, folder);
  } catch (cause) {
    await rm(coming, { recursive: true, force: true });
    throw new HallError("conflict", `${folder} could not be written: ${cause instanceof Error ? cause.message : String(cause)}.`, {
      cause,
    });
  }
}
