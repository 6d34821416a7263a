import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import type { Argument, Expression } from "oxc-parser";

export type Citation = { id: string; file: string; test: string };

/** Attacks are written down by what they are on, and put together to files by the hall they share. */
const testFiles = ["src/**/*.test.ts", "test/**/*.test.ts", "guild-members/**/*.test.ts", "test/attacks/*.ts"];
const anyId = /\b(?:REQ-[A-Z0-9]+-\d+[a-z]?|SEC-\d+|(?:GH1|WD|WKR)-(?:SC|AIV)-\d+|DEL-[A-Z]+(?:-[A-Z]+)*)\b/g;

/** Every requirement id that stands in the name of a test or a suite. Ids in comments and code prove nothing and are not collected. */
export async function collectCitations(root: string, files: readonly string[] = testFiles): Promise<Citation[]> {
  const citations: Citation[] = [];
  for await (const file of glob(files, { cwd: root, exclude: (name) => name === "node_modules" })) {
    const { program } = parseSync(file, await readFile(join(root, file), "utf8"));
    new Visitor({
      CallExpression(node) {
        const [name] = node.arguments;
        if (!isTestFunction(node.callee) || name === undefined) return;
        const test = textOf(name);
        for (const [id] of test.matchAll(anyId)) citations.push({ id, file, test });
      },
    }).visit(program);
  }
  return citations.toSorted((a, b) => a.file.localeCompare(b.file));
}

/** `it`, `describe` and `test`, also as `it.each(…)` and its like. */
function isTestFunction(callee: Expression): boolean {
  if (callee.type === "Identifier") return ["it", "test", "describe"].includes(callee.name);
  if (callee.type === "MemberExpression") return isTestFunction(callee.object);
  if (callee.type === "CallExpression") return isTestFunction(callee.callee);
  return callee.type === "TaggedTemplateExpression" && isTestFunction(callee.tag);
}

function textOf(name: Argument): string {
  if (name.type === "Literal") return typeof name.value === "string" ? name.value : "";
  return name.type === "TemplateLiteral" ? name.quasis.map(({ value }) => value.raw).join("…") : "";
}
