import { readableRatio } from "../print-table.ts";
import { toldParts } from "./results.ts";
import type { Results } from "./results.ts";

const width = 1080;
const rowHeight = 17;
const titleHeight = 32;
const top = 76;
/** Where the three columns are: what was measured, its ratio to the baseline, and how much of its budget it uses. */
const columns = { name: 20, ratio: { left: 500, right: 790 }, budget: { left: 870, right: 1020 } };

type Line = { title: string } | { name: string; ratio: number; used: number | null; holds: boolean };

/** Every measurement that has a baseline: its ratio, on a scale of powers of ten, and the part of its budget it uses. */
export function drawChart(results: Results): string {
  const lines: Line[] = toldParts(results).flatMap(({ title, result }) => {
    const compared = result.rows.flatMap(({ ratio, ...row }) => (ratio === null ? [] : [{ ...row, ratio }]));
    return compared.length === 0 ? [] : [{ title }, ...compared];
  });
  const ratios = lines.flatMap((line) => ("ratio" in line ? [line.ratio] : []));
  const scale = ratioScale(ratios);
  let y = top;
  const body = lines.map((line) => {
    if ("title" in line) return text(columns.name, (y += titleHeight) - 12, "part", line.title);
    return drawRow(line, (y += rowHeight) - rowHeight, scale);
  });
  const height = y + 24;
  const held = lines.filter((line) => "holds" in line && line.holds).length;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">Guild Hall beside its baselines</title>`,
    `<desc id="description">${held} of ${ratios.length} measurements that have a baseline hold their budget. The tables of docs/performance.md have every number.</desc>`,
    style,
    `<rect class="ground" width="${width}" height="${height}" rx="8"/>`,
    text(columns.name, 34, "heading", "Guild Hall beside its baselines"),
    ...axes(scale, height),
    ...body,
    "</svg>",
  ].join("\n")}\n`;
}

type Scale = { at: (ratio: number) => number; powers: number[] };

/** What is less than this ends here too: its number says how much less, and the others keep their room. */
const leastDrawn = 1e-4;
const powerOf = (ratio: number): number => Math.log10(Math.max(ratio, leastDrawn));

/** From the power of ten below the smallest ratio to the one above the largest, with 1 among them. */
function ratioScale(ratios: readonly number[]): Scale {
  const powers = ratios.map(powerOf);
  const least = Math.min(-1, Math.floor(Math.min(...powers, 0)));
  const most = Math.max(1, Math.ceil(Math.max(...powers, 0)));
  const { left, right } = columns.ratio;
  return {
    at: (ratio) => left + ((powerOf(ratio) - least) / (most - least)) * (right - left),
    powers: Array.from({ length: most - least + 1 }, (_, index) => least + index),
  };
}

function axes({ at, powers }: Scale, height: number): string[] {
  const { left, right } = columns.budget;
  return [
    text(columns.ratio.left, 34, "axis", "ratio to the baseline; left of 1× is less"),
    text(left, 34, "axis", "part of the budget"),
    ...powers.flatMap((power) => [
      rule(at(10 ** power), height, power === 0 ? "limit" : "grid"),
      text(at(10 ** power), 56, "tick", `${power < 0 ? (10 ** power).toFixed(-power) : 10 ** power}×`),
    ]),
    rule(left, height, "grid"),
    rule(right, height, "limit"),
    text(left, 56, "tick", "0%"),
    text(right, 56, "tick", "100%"),
  ];
}

function drawRow({ name, ratio, used, holds }: Extract<Line, { name: string }>, y: number, { at }: Scale): string {
  const [one, end] = [at(1), at(ratio)];
  const { left, right } = columns.budget;
  const middle = y + rowHeight / 2;
  const budget = used === null ? [] : [bar(left, left + Math.min(used, 1.05) * (right - left), y, holds ? "held" : "passed")];
  return [
    text(columns.name, middle + 4, "name", name),
    bar(Math.min(one, end), Math.max(one, end), y, ratio <= 1 ? "less" : "more"),
    text(columns.ratio.right + 8, middle + 4, "number", `${readableRatio(ratio)}×`),
    ...budget,
    text(right + 14, middle + 4, "number", used === null ? "" : `${Math.round(used * 100)}%${holds ? "" : " !"}`),
  ].join("");
}

const bar = (from: number, to: number, y: number, kind: string): string =>
  `<rect class="${kind}" x="${from.toFixed(1)}" y="${y + 4}" width="${Math.max(1.5, to - from).toFixed(1)}" height="${rowHeight - 8}" rx="2"/>`;

const rule = (x: number, height: number, kind: string): string =>
  `<line class="${kind}" x1="${x.toFixed(1)}" y1="64" x2="${x.toFixed(1)}" y2="${height - 16}"/>`;

const text = (x: number, y: number, kind: string, words: string): string =>
  `<text class="${kind}" x="${x.toFixed(1)}" y="${y}">${words.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`;

const style = `<style>
text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: #2b2620; }
.heading { font-size: 17px; font-weight: 600; }
.part { font-size: 13px; font-weight: 600; }
.axis, .tick, .number { font-size: 11px; fill: #6a6156; }
.tick { text-anchor: middle; }
.ground { fill: #fbf9f5; }
.grid { stroke: #e2dcd1; }
.limit { stroke: #6a6156; }
.less { fill: #3f7d5a; }
.more { fill: #b07a2a; }
.held { fill: #4a6fa5; }
.passed { fill: #b3402e; }
@media (prefers-color-scheme: dark) {
  text { fill: #e9e3d8; }
  .axis, .tick, .number { fill: #a79d8e; }
  .ground { fill: #1d1a17; }
  .grid { stroke: #3a352e; }
  .limit { stroke: #a79d8e; }
  .less { fill: #6fb58d; }
  .more { fill: #d7a557; }
  .held { fill: #86a8dc; }
  .passed { fill: #e07b68; }
}
</style>`;
