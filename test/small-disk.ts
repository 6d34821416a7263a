import { execFile } from "node:child_process";
import { mkdir, open, rm, writeFile } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

export type SmallDisk = {
  /** Lies on the small disk. */
  folder: string;
  /** For the processes that are to meet it. */
  env: Record<string, string>;
  fill(): Promise<void>;
  free(): Promise<void>;
  /** Whatever is on it is gone then. */
  remove(): Promise<void>;
};

/** A disk of 4 MB that can run full: a real one where this user may mount, otherwise a failure injected below the program. */
export async function openSmallDisk(folder: string): Promise<SmallDisk> {
  await mkdir(folder);
  return (await isMounted(folder, "size=4m")) ? realDisk(folder) : injectedDisk(folder, "ENOSPC");
}

/** A folder nobody can write to, root included. */
export async function openReadOnlyDisk(folder: string): Promise<Pick<SmallDisk, "folder" | "env" | "remove">> {
  await mkdir(folder);
  if (await isMounted(folder, "ro,size=4m")) return { folder, env: {}, remove: () => unmount(folder) };
  const disk = injectedDisk(folder, "EROFS");
  await disk.fill();
  return disk;
}

/** A folder that can turn read-only while a program uses it, and writable again. What is open for writing stays so, as after a remount. */
export async function openLockableDisk(folder: string): Promise<LockableDisk> {
  await mkdir(folder);
  if (!(await isBound(folder))) {
    const { fill, free, ...disk } = injectedDisk(folder, "EROFS");
    return { ...disk, lock: fill, unlock: free };
  }
  await unmount(folder);
  return {
    folder,
    env: {},
    async lock() {
      await isBound(folder);
      await run("mount", ["-o", "remount,bind,ro", folder]);
    },
    unlock: () => unmount(folder),
    remove: () => unmount(folder).catch(() => undefined),
  };
}

export type LockableDisk = Pick<SmallDisk, "folder" | "env" | "remove"> & { lock(): Promise<void>; unlock(): Promise<void> };

const isBound = (folder: string): Promise<boolean> =>
  run("mount", ["--bind", folder, folder]).then(
    () => true,
    () => false,
  );

const isMounted = (folder: string, options: string): Promise<boolean> =>
  run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]).then(
    () => true,
    () => false,
  );

const unmount = async (folder: string): Promise<void> => void (await run("umount", ["--lazy", folder]));

function realDisk(folder: string): SmallDisk {
  const filler = `${folder}/.filler`;
  let isFull = false;
  let taking = Promise.resolve();
  async function letGo(): Promise<void> {
    isFull = false;
    await taking;
  }
  return {
    folder,
    env: {},
    async fill() {
      await letGo();
      const file = await open(filler, "w");
      await takeAll(file);
      isFull = true;
      taking = keepTaking(file, () => isFull);
    },
    async free() {
      await letGo();
      await rm(filler, { force: true });
    },
    async remove() {
      await letGo();
      await unmount(folder);
    },
  };
}

/** What somebody gives back, a temporary file for instance, is no room for others. */
async function keepTaking(file: FileHandle, isWanted: () => boolean): Promise<void> {
  while (isWanted()) {
    await takeAll(file);
    await pause(2);
  }
  await file.close();
}

/** It ends in the error that everybody else is to meet. */
async function takeAll(file: FileHandle): Promise<void> {
  const page = Buffer.alloc(4096);
  const takeOne = (): Promise<boolean> =>
    file.write(page).then(
      () => true,
      () => false,
    );
  while (await takeOne());
}

/** While a flag file is there, every attempt to open a file of the folder for writing, or to make a folder, fails. */
function injectedDisk(folder: string, code: string): SmallDisk {
  const flag = `${folder}.is-full`;
  const source = `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    const fails = (path) => String(path).startsWith(${JSON.stringify(folder)}) && fs.existsSync(${JSON.stringify(flag)});
    const failure = (path) => Object.assign(new Error("${code}: injected"), { code: "${code}", path: String(path) });
    const { open, mkdir } = fs.promises;
    fs.promises.open = async (path, flags = "r", mode) => { if (flags !== "r" && fails(path)) throw failure(path); return open(path, flags, mode); };
    fs.promises.mkdir = async (path, options) => { if (fails(path) && !fs.existsSync(path)) throw failure(path); return mkdir(path, options); };
    syncBuiltinESMExports();
  `;
  return {
    folder,
    env: { NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(source).toString("base64")}` },
    fill: () => writeFile(flag, ""),
    free: () => rm(flag, { force: true }),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
