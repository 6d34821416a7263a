import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Makes this process the only one that works in a folder, for as long as it lives. The operating system gives the lock back
 * when its holder dies, however it dies, so there is no stale lock and no moment in which two could take one over.
 *
 * Node offers no `flock`, but the SQLite that comes with it locks a file before it touches it. The file stays empty, and must
 * never be deleted, or two could hold locks on two files of one name.
 *
 * A hall that was killed leaves a member behind that ends by itself within a second; its successor waits for that.
 */
export async function holdFolderLock(path: string, patienceMs: number): Promise<void> {
  const until = Date.now() + patienceMs;
  while (!tryLock(path)) {
    if (Date.now() > until) throw new Error(`Another process of this member works with the same jobs (${path} is locked). End it first.`);
    await pause(50);
  }
}

function tryLock(path: string): boolean {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (error instanceof Error && "errcode" in error && error.errcode === sqliteBusy) return false;
    throw error;
  }
  // A database nobody refers to is closed by the garbage collector, and its lock would be gone: a timer that never fires refers to it.
  setInterval(() => database.isOpen, 2 ** 31 - 1).unref();
  return true;
}

const sqliteBusy = 5;
