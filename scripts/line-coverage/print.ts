import type { FileLines } from "./covered-lines.ts";
import type { FolderLines } from "./folders.ts";

export function printFolders(folders: readonly FolderLines[]): string {
  const rows = folders.map(({ folder, lines, run, percent, bar }) =>
    row(folder, String(lines), String(run), `${shown(percent)} %`, `${bar} %`, percent < bar ? "  too few" : ""),
  );
  return [row("src/", "lines", "run", "", "bar", ""), ...rows].join("");
}

const row = (folder: string, lines: string, run: string, percent: string, bar: string, verdict: string): string =>
  `${folder.padEnd(16)}${lines.padStart(7)}${run.padStart(7)}${percent.padStart(10)}${bar.padStart(7)}${verdict}\n`;

/** Cut and not rounded: what is below the bar must not look as if it were not. */
const shown = (percent: number): string => (Math.floor(percent * 10) / 10).toFixed(1);

/** Files below the bar of their folder, with the lines that nobody ran. The worst come first. */
export function printFiles(folders: readonly FolderLines[]): string {
  const below = folders.flatMap(({ files, bar }) => files.filter((file) => percentOf(file) < bar));
  return below
    .toSorted((a, b) => b.missed.length - a.missed.length)
    .map((file) => `${`${shown(percentOf(file))} %`.padStart(8)}  src/${file.file}: ${spans(file.missed)}\n`)
    .join("");
}

const percentOf = ({ lines, missed }: FileLines): number => (100 * (lines - missed.length)) / lines;

function spans(lines: readonly number[]): string {
  const found: [first: number, last: number][] = [];
  for (const line of lines) {
    const span = found.at(-1);
    if (span !== undefined && span[1] === line - 1) span[1] = line;
    else found.push([line, line]);
  }
  return found.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(", ");
}
