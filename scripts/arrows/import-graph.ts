import { existsSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join, posix } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

/** One import as it stands in a file. `to` is a path from the root, a package name, or `node:…`. */
export type Import = {
  from: string;
  to: string;
  kind: "file" | "missing" | "package" | "node";
  /** Gone when the code runs: `import type`, `export type … from` and `import("…").T`. */
  typeOnly: boolean;
};

export type ImportGraph = { modules: string[]; imports: Import[] };

const sourceFolders = ["src", "guild-members", "templates", "scripts", "bench", "test"];

/** Reads every TypeScript file under `root`. A file that does not parse is an error, not an empty module. */
export async function readImportGraph(root: string): Promise<ImportGraph> {
  const modules: string[] = [];
  for await (const path of glob(
    sourceFolders.map((folder) => `${folder}/**/*.{ts,tsx}`),
    { cwd: root, exclude: (name) => name === "node_modules" || name === ".next" },
  )) {
    if (!path.endsWith(".d.ts")) modules.push(path.replaceAll("\\", "/"));
  }
  modules.sort();
  const imports = await Promise.all(modules.map(async (module) => importsOf(root, module, await readFile(join(root, module), "utf8"))));
  return { modules, imports: imports.flat() };
}

function importsOf(root: string, from: string, source: string): Import[] {
  const { program, errors } = parseSync(from, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${from} does not parse: ${error.message}`);
  const found: Import[] = [];
  const add = (specifier: unknown, typeOnly: boolean) => {
    if (typeof specifier === "string") found.push({ from, typeOnly, ...resolve(root, from, specifier) });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, node.importKind === "type"),
    ExportAllDeclaration: (node) => add(node.source.value, node.exportKind === "type"),
    ExportNamedDeclaration: (node) => add(node.source?.value, node.exportKind === "type"),
    ImportExpression: (node) => add("value" in node.source ? node.source.value : null, false),
    TSImportType: (node) => add(node.source.value, true),
  }).visit(program);
  return found;
}

function resolve(root: string, from: string, specifier: string): Pick<Import, "to" | "kind"> {
  if (specifier.startsWith("node:") || isBuiltin(specifier)) return { to: `node:${specifier.replace(/^node:/, "")}`, kind: "node" };
  if (specifier.startsWith(".")) {
    const to = posix.join(posix.dirname(from), specifier);
    return { to, kind: existsSync(join(root, to)) && posix.extname(to) !== "" ? "file" : "missing" };
  }
  const [scope = "", name = ""] = specifier.split("/");
  // An alias such as `@/components` has no package name: nothing in `node_modules` can be called that.
  if (/^(@|~|#)?$/.test(scope)) return { to: specifier, kind: "missing" };
  return { to: scope.startsWith("@") ? `${scope}/${name}` : scope, kind: "package" };
}
