import type { ImportGraph } from "./import-graph.ts";
import { areaOf, isTestCode, unitOf } from "./layers.ts";

/** The product's folders and who imports whom, as a Mermaid chart. Arrows point from the importer; dashed ones carry types only. */
export function drawArchitecture({ modules, imports }: ImportGraph): string {
  const nodes = new Set(modules.filter(isProduct).map(nodeOf));
  const arrows = new Map<string, { from: string; to: string; typeOnly: boolean }>();
  for (const { from, to, kind, typeOnly } of imports) {
    if (kind !== "file" || !isProduct(from) || !isProduct(to) || nodeOf(from) === nodeOf(to)) continue;
    const key = `${nodeOf(from)}>${nodeOf(to)}`;
    arrows.set(key, { from: nodeOf(from), to: nodeOf(to), typeOnly: typeOnly && (arrows.get(key)?.typeOnly ?? true) });
  }

  const groups = Map.groupBy([...nodes].toSorted(), (node) => groupOf(node));
  return [
    "flowchart TD",
    ...[...groups].flatMap(([group, members]) => (group === null ? members.map(box) : subgraph(group, members))),
    ...[...arrows.entries()]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .filter(([, { to }]) => to !== seenByAll)
      .map(([, { from, to, typeOnly }]) => `  ${idOf(from)} ${typeOnly ? "-.->" : "-->"} ${idOf(to)}`),
  ].join("\n");
}

const fence = /(<!-- picture:start -->\n)[\s\S]*?(<!-- picture:end -->)/;

export function placePicture(document: string, picture: string): string {
  if (!fence.test(document)) throw new Error("ARCHITECTURE.md has lost the two comments between which the picture stands.");
  return document.replace(fence, (_, start: string, end: string) => `${start}\n\`\`\`mermaid\n${picture}\n\`\`\`\n\n${end}`);
}

/** Arrows to it are left out: there would be one from every folder. */
const seenByAll = "src/schema";

const isProduct = (path: string): boolean => unitOf(path) !== null && !isTestCode(path);

/** Core and the adapters are drawn by area, everything else by folder. */
function nodeOf(path: string): string {
  return areaOf("src/core", path) ?? areaOf("src/adapters", path) ?? unitOf(path) ?? path;
}

const groupOf = (node: string): string | null => /^src\/(core|adapters)(?=\/)/.exec(node)?.[0] ?? null;

const idOf = (node: string): string => node.replaceAll(/[^a-z]+/g, "_");

const box = (node: string): string => `  ${idOf(node)}["${node.replace(/^src\//, "")}${node === seenByAll ? ": seen by all" : ""}"]`;

function subgraph(group: string, members: string[]): string[] {
  return [`  subgraph ${idOf(group)}_["${group.replace(/^src\//, "")}"]`, ...members.map((node) => `  ${box(node)}`), "  end"];
}
