import { chmodSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { HallError } from "../../schema/hall-error.ts";
import { fileFailure } from "./file-failure.ts";

export type KernelLock = { release(): void };

/**
 * Takes a lock that the operating system gives back when its holder dies, however it dies; null while somebody else, in
 * this process or another, has it. There is no stale lock, so there is no moment in which two could take one over.
 *
 * Node offers no `flock`, but the SQLite that comes with it locks a file before it touches it. The file stays empty: the
 * lock is all that is used. It must never be deleted, or two could hold locks on two files of one name.
 */
export function takeKernelLock(path: string): KernelLock | null {
  const database = openDatabase(path);
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (resultCode(error) === sqliteBusy) return null;
    throw cannotLock(path, error);
  }
  // A database nobody refers to is closed by the garbage collector, and its lock would be gone: a timer that never fires refers to it.
  const pin = setInterval(() => database.isOpen, 2 ** 31 - 1).unref();
  return {
    release() {
      clearInterval(pin);
      if (database.isOpen) database.close();
    },
  };
}

function openDatabase(path: string): DatabaseSync {
  try {
    const database = new DatabaseSync(path, { timeout: 0 });
    // By name, not by descriptor: closing any descriptor of the file would drop the lock this process may have on it.
    chmodSync(path, 0o600);
    return database;
  } catch (error) {
    throw resultCode(error) === undefined ? fileFailure(error, path) : cannotLock(path, error);
  }
}

const sqliteBusy = 5;
const sqliteFull = 13;

/** SQLite's own number for what went wrong; undefined for what is no error of SQLite. */
export function resultCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

function cannotLock(path: string, cause: unknown): unknown {
  if (resultCode(cause) === sqliteFull) return fileFailure(Object.assign(new Error("disk full", { cause }), { code: "ENOSPC" }), path);
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new HallError(
    "home_unusable",
    `${path} cannot be locked (${reason}). The home folder must be writable and on a disk that supports file locks.`,
    { cause, details: { path } },
  );
}
