import { mkdir, readdir, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { disk, flushFolder, writeAll } from "./disk.ts";
import type { Disk } from "./disk.ts";
import { fileFailure } from "./file-failure.ts";
import { systemCode } from "../system-code.ts";
import { processExists } from "../processes/process-identity.ts";

/** Replaces the file, or makes it. Whoever reads sees the whole old or the whole new content, and it survives a power cut once this resolves. */
export async function writeFileDurably(path: string, data: string | Uint8Array, on: Disk = disk): Promise<void> {
  await throughTemporary(path, data, on, (temporary) => on.rename(temporary, path));
}

/** Makes the file, whole and durable, unless there is one: then it answers false and changes nothing. Of several at once, one wins. */
export async function createFileDurably(path: string, data: string | Uint8Array, on: Disk = disk): Promise<boolean> {
  let isMade = false;
  try {
    await throughTemporary(path, data, on, async (temporary) => {
      isMade = await linkUnlessThere(temporary, path, on);
      await on.unlink(temporary);
    });
    return isMade;
  } catch (error) {
    // Whoever is told that it failed tries again, and must not find their own file in the way.
    if (isMade) await on.unlink(path).catch(() => undefined);
    throw error;
  }
}

/** Removes the file, if there is one, so that it stays away after a power cut. */
export async function removeFileDurably(path: string, on: Disk = disk): Promise<void> {
  try {
    await on.unlink(path);
    await flushFolder(dirname(path), on);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw fileFailure(error, path);
  }
}

/** Makes the folder and its missing parents, for this user only, so that they survive a power cut. */
export async function makeFolder(path: string, on: Disk = disk): Promise<void> {
  try {
    await makeWithParents(path, on);
  } catch (error) {
    throw fileFailure(error, path);
  }
}

/** One folder at a time: asked to make several at once, Node takes a full or read-only disk for a missing folder. */
async function makeWithParents(path: string, on: Disk): Promise<void> {
  const failure = await makeOne(path);
  if (failure === "ENOENT" && dirname(path) !== path) {
    await makeWithParents(dirname(path), on);
    await mkdir(path, { mode: 0o700 }).catch(allowExisting(path));
  }
  if (failure !== "EEXIST") await flushFolder(dirname(path), on);
}

async function makeOne(path: string): Promise<"ENOENT" | "EEXIST" | null> {
  try {
    await mkdir(path, { mode: 0o700 });
    return null;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return "ENOENT";
    await allowExisting(path)(error);
    return "EEXIST";
  }
}

const allowExisting =
  (path: string) =>
  async (error: unknown): Promise<void> => {
    if (systemCode(error) !== "EEXIST" || !(await stat(path)).isDirectory()) throw error;
  };

/** True for the name of a file that is still being written, or that a crash left half written. */
export const isTemporaryName = (name: string): boolean => temporaryName.test(name);

/** Removes what writers left in a folder that surely are no more, and answers how many files that were. */
export async function sweepTemporaries(folder: string): Promise<number> {
  try {
    const left = (await readdir(folder)).filter(isLeftover);
    await Promise.all(left.map((name) => unlink(join(folder, name))));
    return left.length;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return 0;
    throw fileFailure(error, folder);
  }
}

const temporaryName = /^\..+\.(\d+)-([0-9a-z]+)-[0-9a-z]+\.tmp$/;

/** Its writer was an earlier life of this process, or a process that is not there. */
function isLeftover(name: string): boolean {
  const [, pid, life] = temporaryName.exec(name) ?? [];
  if (pid === undefined) return false;
  return Number(pid) === process.pid ? life !== thisLife() : !processExists(Number(pid));
}

/** Gives a file a second name. False where something has that name. */
export async function linkUnlessThere(from: string, to: string, on: Disk): Promise<boolean> {
  try {
    await on.link(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Writes to a file beside the path and lets `publish` put it in place. Afterwards the folder is as it will be after a power cut. */
export async function throughTemporary(
  path: string,
  data: string | Uint8Array,
  on: Disk,
  publish: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = join(
    dirname(path),
    `.${basename(path)}.${process.pid}-${thisLife()}-${Math.random().toString(36).slice(2, 12) || "0"}.tmp`,
  );
  try {
    await writeNew(temporary, typeof data === "string" ? Buffer.from(data) : data, on);
    await publish(temporary);
    await flushFolder(dirname(path), on);
  } catch (error) {
    // The failure of the write is what matters; a leftover that cannot be removed now is swept at the next start.
    await on.unlink(temporary).catch(() => undefined);
    throw fileFailure(error, path);
  }
}

async function writeNew(path: string, data: Uint8Array, on: Disk): Promise<void> {
  const file = await on.open(path, "wx", 0o600);
  try {
    await writeAll(file, data);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A process id alone comes back, in a container at every start. */
const thisLife = (): string => Math.floor(performance.timeOrigin).toString(36);
