import { rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { HallError } from "../../../schema/hall-error.ts";
import { disk, flushFolder } from "../disk.ts";
import type { Disk } from "../disk.ts";
import { sweepTemporaries } from "../durable-write.ts";
import { fileFailure } from "../file-failure.ts";
import { systemCode } from "../../system-code.ts";
import { createEarlierEngineLayout } from "../layout.ts";
import type { EngineLayout } from "../layout.ts";
import { namesIn } from "../names-in.ts";

/**
 * Moves the records of the folder that earlier halls used, each as it is: they are read in their new place. A crash leaves
 * some here and some there, and the next start moves the rest before anything is read.
 */
export async function moveEarlierJobs(
  earlierFolder: string,
  to: EngineLayout,
  onProblem: (error: unknown) => void,
  on: Disk = disk,
): Promise<void> {
  const from = createEarlierEngineLayout(earlierFolder);
  for (const [source, target] of [
    [from.open, to.open],
    [from.ended, to.ended],
  ] as const) {
    await sweepTemporaries(source);
    await moveAll(source, target, onProblem, on);
  }
  // SQLite, which held the lock, leaves a journal when its process is killed.
  for (const path of [from.lock, `${from.lock}-journal`]) await rm(path, { force: true });
  for (const folder of [from.open, from.ended, from.folder]) await removeIfEmpty(folder);
}

async function moveAll(source: string, target: string, onProblem: (error: unknown) => void, on: Disk): Promise<void> {
  const names = (await namesIn(source)).filter((name) => name.endsWith(".json"));
  if (names.length === 0) return;
  const taken = new Set(await namesIn(target));
  try {
    for (const name of names) {
      if (taken.has(name)) onProblem(inBoth(join(source, name), target));
      else await on.rename(join(source, name), join(target, name));
    }
    for (const folder of [target, source]) await flushFolder(folder, on);
  } catch (error) {
    throw fileFailure(error, source);
  }
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(systemCode(error) ?? "")) throw fileFailure(error, folder);
  }
}

const inBoth = (path: string, target: string): HallError =>
  new HallError("conflict", `${path} was not moved: there is a file of that name in ${target}. Compare the two and remove one.`);
