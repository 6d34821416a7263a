import type { FSWatcher } from "node:fs";
import { createFolderWatch } from "../folder-watch.ts";
import type { WatchedFolder } from "./stamp-folders.ts";

/** Machines allow few watches; what is beyond them is found by looking. */
const mostWatches = 512;

/** Watches a set of folders that changes. */
export function createFolderWatches(onProblem: (error: unknown) => void, onChange: () => void) {
  const watched = new Map<string, WatchedFolder & { watcher: FSWatcher }>();
  const { begin } = createFolderWatch(onProblem);

  const matters = (path: string, name: string | null): boolean => name === null || (watched.get(path)?.matters(name) ?? true);

  function dropAllBut(folders: ReadonlyMap<string, WatchedFolder>): void {
    for (const [path, { inode, watcher }] of watched) {
      if (folders.get(path)?.inode === inode) continue;
      watcher.close();
      watched.delete(path);
    }
  }

  return {
    /** Watches exactly these; answers whether one of them was not watched before. */
    keepOnly(folders: ReadonlyMap<string, WatchedFolder>): boolean {
      dropAllBut(folders);
      const before = watched.size;
      for (const [path, folder] of folders) {
        const known = watched.get(path)?.watcher;
        const watcher = known ?? (watched.size < mostWatches ? begin(path, (name) => matters(path, name) && onChange()) : null);
        if (watcher !== null) watched.set(path, { ...folder, watcher });
      }
      return watched.size > before;
    },
  };
}
