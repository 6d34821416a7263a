import { chmodSync, truncateSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { HallError } from "../../schema/hall-error.ts";
import { fileFailure } from "./file-failure.ts";
import { isNoDatabase, resultCode, sqlite } from "./sqlite-failure.ts";

export type KernelLock = { release(): void };

/**
 * Takes a lock that the operating system gives back when its holder dies, however it dies; null while somebody else, in
 * this process or another, has it. There is no stale lock, so there is no moment in which two could take one over.
 *
 * Node offers no `flock`, but the SQLite that comes with it locks a file before it touches it. The file stays empty: the
 * lock is all that is used. It must never be deleted, or two could hold locks on two files of one name.
 */
export function takeKernelLock(path: string): KernelLock | null {
  let database = openDatabase(path);
  let failure = failureToLock(database);
  if (isNoDatabase(failure)) {
    // Whoever has the lock would have been met before the bytes: nobody has it, and nobody needs what somebody else put there.
    empty(path);
    database = openDatabase(path);
    failure = failureToLock(database);
  }
  if (resultCode(failure) === sqlite.busy) return null;
  if (failure !== null) throw cannotLock(path, failure);
  // A database nobody refers to is closed by the garbage collector, and its lock would be gone: a timer that never fires refers to it.
  const pin = setInterval(() => database.isOpen, 2 ** 31 - 1).unref();
  return {
    release() {
      clearInterval(pin);
      if (database.isOpen) database.close();
    },
  };
}

/** Null where the lock is taken. Otherwise the database is closed: only then may the file be opened by anybody else in this process. */
function failureToLock(database: DatabaseSync): unknown {
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return null;
  } catch (error) {
    database.close();
    return error;
  }
}

function empty(path: string): void {
  try {
    truncateSync(path);
  } catch (error) {
    throw fileFailure(error, path);
  }
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

function cannotLock(path: string, cause: unknown): unknown {
  if (resultCode(cause) === sqlite.full) return fileFailure(Object.assign(new Error("disk full", { cause }), { code: "ENOSPC" }), path);
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new HallError(
    "home_unusable",
    `${path} cannot be locked (${reason}). The home folder must be writable and on a disk that supports file locks.`,
    { cause, details: { path } },
  );
}
