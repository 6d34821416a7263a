import { mkdir, readFile, writeFile } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { dirname, join } from "node:path";
import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { drawChart } from "./chart.ts";
import { placeTables } from "./place-tables.ts";
import { Results } from "./results.ts";

const root = join(import.meta.dirname, "../..");

export const documents = {
  results: join(root, "docs/performance.json"),
  text: join(root, "docs/performance.md"),
  chart: join(root, "docs/images/performance.svg"),
};

/** Puts what a part measured in the place of what it measured before. */
export async function keepResults(part: string, rows: BenchRow[], { isTrial }: Effort): Promise<void> {
  const { parts } = await readResults();
  const result = { at: new Date().toISOString(), machine: machineInWords(), isTrial, rows };
  await writeFile(documents.results, `${JSON.stringify({ version: 1, parts: { ...parts, [part]: result } } satisfies Results, null, 2)}\n`);
}

/** Writes tables and chart from what is kept. */
export async function writeDocuments(): Promise<void> {
  const results = await readResults();
  await writeFile(documents.text, placeTables(await readFile(documents.text, "utf8"), results));
  await mkdir(dirname(documents.chart), { recursive: true });
  await writeFile(documents.chart, drawChart(results));
  process.stderr.write("docs/performance.md and docs/images/performance.svg say what was measured.\n");
}

export async function readResults(): Promise<Results> {
  return Results.parse(JSON.parse(await readFile(documents.results, "utf8")));
}

const machineInWords = (): string =>
  `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
