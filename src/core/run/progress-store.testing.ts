import type { RunId } from "../../schema/ids.ts";
import type { Life } from "../world.testing.ts";
import type { ProgressFile, ProgressStore } from "./progress-store.ts";

/** Progress that is kept in memory, and what came of it. */
export function createMemoryProgress(options: { refuses?: () => boolean } = {}): ProgressFile & { lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    async append(more) {
      if (options.refuses?.() === true) throw new Error("The disk is full.");
      lines.push(...more);
    },
    read: async (from, most) => lines.slice(from, from + most),
    seal: async () => undefined,
  };
}

export type ProgressDisk = Map<RunId, string[]>;

/** Progress on a disk that is memory. What was not written when the hall crashed is lost. */
export function createMemoryProgressStore(life: Life, disk: ProgressDisk): ProgressStore {
  return {
    open(run) {
      let isNew = true;
      return {
        append: (lines) =>
          life.write(
            () => {
              disk.set(run, [...(isNew ? [] : (disk.get(run) ?? [])), ...lines]);
              isNew = false;
            },
            { isAllOrNone: true },
          ),
        read: (from, most) => life.read(() => (disk.get(run) ?? []).slice(from, from + most)),
        seal: () => life.step(),
      };
    },
    readLeft: (run) => life.read(() => disk.get(run) ?? []),
    remove: (run) => life.write(() => void disk.delete(run)),
    keepOnly: (runs) =>
      life.write(() => {
        for (const run of disk.keys()) if (!runs.includes(run)) disk.delete(run);
      }),
  };
}
