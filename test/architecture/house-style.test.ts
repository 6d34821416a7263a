import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const vagueNames = /^(utils?|helpers?|types?|common|misc|shared|manager|index)\.tsx?$/;

type Source = { path: string; text: string; lines: number };
let sources: Source[] = [];

beforeAll(async () => {
  const { stdout } = await promisify(execFile)("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx"], {
    cwd: root,
  });
  const paths = stdout.split("\n").filter((path) => path !== "" && !path.endsWith(".d.ts"));
  const read = await Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(root, path), "utf8").catch(() => null) })));
  sources = read.flatMap(({ path, text }) => (text === null ? [] : [{ path, text, lines: text.split("\n").length - 1 }]));
});

describe("house style, where no linter has a rule for it", () => {
  it("names files for what is inside them", () => {
    const vague = sources.filter(({ path }) => vagueNames.test(basename(path)));

    expect(vague.map(({ path }) => path)).toEqual([]);
  });

  it("keeps files short: half within 80 lines, 95% within 300", () => {
    const lengths = product().map(({ lines }) => lines);
    const sorted = lengths.toSorted((a, b) => a - b);

    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(80);
    expect(sorted[Math.floor(sorted.length * 0.95)]).toBeLessThanOrEqual(300);
  });

  it("puts names that others chose into addresses by `addressPart`, which takes half a character too", () => {
    const own = sources.filter(({ path }) => /^src\/(?:web|client)\//.test(path) && path !== "src/client/address-part.ts");
    const encoding = own.filter(({ text }) => text.includes("encodeURIComponent"));

    expect(encoding.map(({ path }) => path)).toEqual([]);
  });

  it("leaves requirement ids to tests and documents", () => {
    const citing = product().filter(({ text }) => /\b(REQ-[A-Z0-9]+-\d|SEC-\d|DEL-[A-Z])/.test(text));

    expect(citing.map(({ path }) => path)).toEqual([]);
  });

  it("hands programs their arguments as a list that no shell reads (SEC-7)", () => {
    const withShell = product().filter(({ text }) => /\bshell: (true|["'`])/.test(text));

    expect(withShell.map(({ path }) => path)).toEqual([]);
  });

  it("has no leftovers: no TODO, no FIXME, no switched-off lint rule without a reason", () => {
    const leftover = sources.flatMap(({ path, text }) =>
      text
        .split("\n")
        .flatMap((line, at) => (isLeftover(line) && path !== "test/architecture/house-style.test.ts" ? [`${path}:${at + 1}`] : [])),
    );

    expect(leftover).toEqual([]);
  });

  it("waits in tests for something that happens, never for a fixed time", () => {
    const sleeping = sources.filter(({ path, text }) => path.endsWith(".test.ts") && /await (sleep|delay|wait|setTimeout)\(\d/.test(text));

    expect(sleeping.map(({ path }) => path)).toEqual([]);
  });
});

const product = () => sources.filter(({ path }) => /^(src|guild-members)\//.test(path) && !/\.test\.tsx?$/.test(path));

function isLeftover(line: string): boolean {
  if (/\b(TODO|FIXME|XXX)\b/.test(line)) return true;
  return /(oxlint|eslint)-disable/.test(line) && !/-disable[a-z-]* .+ -- \w+/.test(line);
}
