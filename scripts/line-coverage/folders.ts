import { relative, sep } from "node:path";
import type { FileLines } from "./covered-lines.ts";

export type FolderLines = { folder: string; lines: number; run: number; percent: number; bar: number; files: FileLines[] };

/** Much of these two is what to do where a machine refuses, and not every refusal can be brought about. */
const lowerBars: Record<string, number> = { cli: 85, server: 85 };
const bar = 90;

/** The folders of the source in the order of the alphabet. One that has nothing to run is not among them. */
export function foldersOf(files: readonly FileLines[], source: string): FolderLines[] {
  const named = files.filter(({ lines }) => lines > 0).map((of) => ({ ...of, file: relative(source, of.file) }));
  const folders = Map.groupBy(named, ({ file }) => file.split(sep)[0] ?? file);
  return [...folders]
    .map(([folder, of]) => {
      const lines = of.reduce((sum, file) => sum + file.lines, 0);
      const run = of.reduce((sum, file) => sum + file.lines - file.missed.length, 0);
      return { folder, lines, run, percent: (100 * run) / lines, bar: lowerBars[folder] ?? bar, files: of };
    })
    .toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
}
