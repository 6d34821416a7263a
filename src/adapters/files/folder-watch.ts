import { watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { systemCode } from "../system-code.ts";

/** Begins to watch folders for as long as the machine lets it. */
export function createFolderWatch(onProblem: (error: unknown) => void) {
  let isPossible = true;
  return {
    /** Tells the name in the folder that something happened to, where the system knows it. Null where there is nothing to watch. */
    begin(folder: string, onName: (name: string | null) => void): FSWatcher | null {
      if (!isPossible) return null;
      try {
        return watch(folder, { persistent: false }, (_kind, name) => onName(name)).on("error", onProblem);
      } catch (error) {
        if (systemCode(error) === "ENOENT") return null;
        // Without watches a regular look still finds everything, only later. Saying so once is enough.
        isPossible = false;
        onProblem(error);
        return null;
      }
    },
  };
}
