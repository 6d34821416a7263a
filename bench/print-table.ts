import type { BenchRow } from "./bench-row.ts";

/** A Markdown table that also reads well in a terminal. */
export function printTable(rows: readonly BenchRow[]): string {
  const cells = [
    ["what", "ours", "baseline", "ratio", "budget", "holds"],
    ...rows.map(({ name, ours, baseline, ratio, budget, holds }) => [
      name,
      ours,
      baseline,
      ratio === null ? "" : `${readableRatio(ratio)}×`,
      budget,
      holds ? "yes" : "NO",
    ]),
  ];
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = cells.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return `${[lines[0], rule, ...lines.slice(1)].join("\n")}\n`;
}

/** Two digits that mean something, however small it is. */
export function readableRatio(ratio: number): string {
  if (ratio === 0) return "0";
  const digits = ratio >= 0.1 ? 2 : Math.min(6, 1 - Math.floor(Math.log10(Math.max(ratio, 1e-6))));
  return ratio.toFixed(digits);
}
