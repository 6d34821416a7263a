import type { ProgressFile } from "./progress-store.ts";

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
