import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** One planted breach per habit we count on the linter for. */
const planted: Record<string, string> = {
  "typescript(no-explicit-any)": `export const x = (y: any) => String(y);`,
  "typescript(no-non-null-assertion)": `export const x = (y: string | null) => y!.length;`,
  "typescript(no-floating-promises)": `const save = async () => 1; export const x = () => { save(); };`,
  "typescript(no-misused-promises)": `const save = async () => true; export const x = () => (save() ? 1 : 2);`,
  "typescript(consistent-type-imports)": `import { Stats } from "node:fs"; export const x = (s: Stats) => s.size;`,
  "typescript(switch-exhaustiveness-check)": `export const x = (y: "a" | "b") => { switch (y) { case "a": return 1; } return 2; };`,
  "typescript(no-unsafe-assignment)": `export const x = (): string => { const y: string = JSON.parse("1"); return y; };`,
  "import(no-default-export)": `export default 1;`,
  "eslint(no-empty)": `export const x = () => { try { return JSON.stringify(1); } catch {} return ""; };`,
  "eslint(no-console)": `export const x = () => console.log(1);`,
  "eslint(no-restricted-imports)": `import { exec } from "node:child_process"; export const x = exec;`,
  "eslint(no-unused-vars)": `const y = 1; export const x = 2;`,
  "eslint(max-lines)": `export const x = 1;\n`.concat("// line\n".repeat(400)),
  "unicorn(prefer-node-protocol)": `import { sep } from "path"; export const x = sep;`,
  "vitest(no-focused-tests)": `import { it } from "vitest"; it.only("works", () => {});`,
  "vitest(no-disabled-tests)": `import { it } from "vitest"; it.skip("works", () => {});`,
  "vitest(no-restricted-vi-methods)": `import { vi } from "vitest"; vi.mock("./x.ts");`,
};

let folder: string;
let complaints: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lint-"));
  await writeFile(join(folder, "package.json"), `{ "type": "module" }`);
  await writeFile(
    join(folder, "tsconfig.json"),
    `{ "compilerOptions": { "strict": true, "module": "nodenext", "types": [] }, "include": ["."] }`,
  );
  await Promise.all(Object.values(planted).map((source, at) => writeFile(join(folder, fileOf(at)), source)));
  complaints = await lint(folder);
});

afterAll(() => rm(folder, { recursive: true }));

describe("the linter", () => {
  it.each(Object.keys(planted).map((rule, at) => [rule, fileOf(at)]))("reports %s", (rule, file) => {
    expect(complaints).toContain(`${file}: ${rule}`);
  });

  it("refuses a file whose name is not in kebab case", async () => {
    await writeFile(join(folder, "CamelCase.ts"), "export const x = 1;\n");

    expect(await lint(folder)).toContain("CamelCase.ts: unicorn(filename-case)");
  });
});

function fileOf(at: number): string {
  return `planted-${at}.test.ts`;
}

async function lint(cwd: string): Promise<string[]> {
  const oxlint = join(root, "node_modules/oxlint/bin/oxlint");
  const args = [oxlint, "--config", join(root, ".oxlintrc.json"), "--type-aware", "--format", "json", "."];
  const stdout = await new Promise<string>((resolve) => execFile(process.execPath, args, { cwd }, (_, out) => resolve(out)));
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] };
  return diagnostics.map(({ filename, code }) => `${filename}: ${code}`);
}
