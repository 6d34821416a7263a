import type { FSWatcher } from "node:fs";
import { basename, dirname } from "node:path";
import { createFolderWatch } from "../folder-watch.ts";

export type Watches = {
  /** From now on a change of this file is told at once, until others have been looked at more lately. */
  lookAt(name: string): void;
  forget(name: string): void;
  close(): void;
};

type Watched = {
  folder: string;
  isName: (name: string) => boolean;
  pathOf: (name: string) => string;
};

/** Machines allow few watches, and 100,000 would use them all up; whoever looks at more than this refetches anyway. */
const mostLookedAt = 32;

/** One watch on the folder tells of what comes and goes in it, and a few more of changes in what people look at. */
export function createWatches(
  { folder, isName, pathOf }: Watched,
  onChange: (name: string) => void,
  onProblem: (error: unknown) => void,
): Watches {
  /** The one looked at longest ago comes first. */
  const lookedAt = new Map<string, FSWatcher>();
  const { begin } = createFolderWatch(onProblem);

  function forget(name: string): void {
    lookedAt.get(name)?.close();
    lookedAt.delete(name);
  }

  const ofFolder = begin(folder, (file) => file !== null && isName(file) && onChange(file));

  return {
    lookAt(name) {
      const path = pathOf(name);
      const watcher = lookedAt.get(name) ?? begin(dirname(path), (file) => file === basename(path) && onChange(name));
      if (watcher === null) return;
      lookedAt.delete(name);
      lookedAt.set(name, watcher);
      const [oldest] = lookedAt.keys();
      if (lookedAt.size > mostLookedAt && oldest !== undefined) forget(oldest);
    },
    forget,
    close() {
      ofFolder?.close();
      for (const name of lookedAt.keys()) forget(name);
    },
  };
}
