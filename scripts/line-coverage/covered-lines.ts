import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { ChildCoverage } from "./child-coverage.ts";

export type FileLines = {
  file: string;
  /** How many lines begin a statement: only these count. A file of types has none. */
  lines: number;
  /** Those that no process ran. */
  missed: number[];
};

/** What the workers of the suite ran, as Vitest wrote it, and what the processes ran that they started. */
export async function readLines(report: string, children: Pick<ChildCoverage, "ran">): Promise<FileLines[]> {
  const files = Report.parse(JSON.parse(await readFile(report, "utf8")));
  return Promise.all(Object.values(files).map(async (file) => linesOf(file, await readFile(file.path, "utf8"), children)));
}

const Counted = z.object({
  path: z.string(),
  statementMap: z.record(z.string(), z.object({ start: z.object({ line: z.int(), column: z.int() }) })),
  s: z.record(z.string(), z.number()),
});
const Report = z.record(z.string(), Counted);

function linesOf(
  { path, statementMap, s: counts }: z.infer<typeof Counted>,
  text: string,
  children: Pick<ChildCoverage, "ran">,
): FileLines {
  const begins = lineBegins(text);
  const isRun = new Map<number, boolean>();
  for (const [id, { start }] of Object.entries(statementMap)) {
    const ran = (counts[id] ?? 0) > 0 || children.ran(path, (begins[start.line - 1] ?? 0) + start.column);
    isRun.set(start.line, isRun.get(start.line) === true || ran);
  }
  const missed = [...isRun].filter(([, ran]) => !ran).map(([line]) => line);
  return { file: path, lines: isRun.size, missed: missed.toSorted((a, b) => a - b) };
}

function lineBegins(text: string): number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}
