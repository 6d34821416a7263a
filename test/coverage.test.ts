import { execFile } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { createChildCoverage } from "../scripts/line-coverage/child-coverage.ts";
import { readLines } from "../scripts/line-coverage/covered-lines.ts";
import { foldersOf } from "../scripts/line-coverage/folders.ts";
import { printFiles, printFolders } from "../scripts/line-coverage/print.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const program = `type Size = "big" | "small";
export function sizeOf(count: number): Size {
  if (count > 10) {
    return "big";
  }
  return "small";
}
console.log(sizeOf(Number(process.argv[2])));
`;
const offsetOf = (words: string): number => program.indexOf(words);

it("a line counts that a child process ran, as it counts where a worker did", async () => {
  const { source, file, written } = await programIn(await temporaryFolder());
  const children = createChildCoverage(source);
  const statements = [offsetOf("if"), offsetOf(`return "big"`), offsetOf(`return "small"`), offsetOf("console")];
  const report = join(source, "report.json");
  await writeFile(report, JSON.stringify({ [file]: { path: file, ...mapOf(statements), s: { 0: 1, 1: 0, 2: 0, 3: 1 } } }));

  const before = await readLines(report, children);
  await run(file, "3", written);
  await children.take(written);
  const afterSmall = await readLines(report, children);
  await run(file, "30", written);
  await children.take(written);
  const afterBoth = await readLines(report, children);

  expect(before).toEqual([{ file, lines: 4, missed: [4, 6] }]);
  expect(afterSmall).toEqual([{ file, lines: 4, missed: [4] }]);
  expect(afterBoth).toEqual([{ file, lines: 4, missed: [] }]);
});

it("what a process has not written to its end is left for later, and what was read is removed", async () => {
  const { source, file, written } = await programIn(await temporaryFolder());
  const children = createChildCoverage(source);
  await run(file, "3", written);
  await writeFile(join(written, "coverage-half.json"), `{"result":[{"scriptId":"1","url":"file:`);

  const left = await children.take(written);

  expect(left).toBe(1);
  expect(await readdir(written)).toEqual(["coverage-half.json"]);
  expect(children.ran(file, offsetOf("console"))).toBe(true);
  expect(children.ran(file, offsetOf(`return "big"`))).toBe(false);
});

it("each folder has its bar, and a file below it is named with the lines that nobody ran", () => {
  const missed = (...lines: number[]) => lines;
  const folders = foldersOf(
    [
      { file: "/hall/src/cli/main.ts", lines: 100, missed: missed(1, 2, 3, 7, 8, 9, 10, 20, 30, 40, 50, 60, 70, 80, 90) },
      { file: "/hall/src/core/session/good.ts", lines: 90, missed: [] },
      { file: "/hall/src/core/bad.ts", lines: 10, missed: missed(4, 5, 6, 9) },
      { file: "/hall/src/schema/job.ts", lines: 2000, missed: Array.from({ length: 201 }, (_, at) => at + 1) },
      { file: "/hall/src/schema/types-only.ts", lines: 0, missed: [] },
    ],
    "/hall/src",
  );

  const table = printFolders(folders).split("\n");
  const files = printFiles(folders).split("\n");

  expect(table.slice(1, -1).map((line) => line.trim().replaceAll(/ +/g, " "))).toEqual([
    "cli 100 85 85.0 % 85 %",
    "core 100 96 96.0 % 90 %",
    "schema 2000 1799 89.9 % 90 % too few",
  ]);
  expect(files).toEqual(["  89.9 %  src/schema/job.ts: 1-201", "  60.0 %  src/core/bad.ts: 4-6, 9", ""]);
});

async function programIn(folder: string) {
  const [source, written] = [join(folder, "src"), join(folder, "written")];
  await mkdir(source);
  const file = join(source, "program.ts");
  await writeFile(file, program);
  return { source, file, written };
}

/** Without a compile cache, from which the second run would be counted less exactly. */
async function run(file: string, count: string, written: string): Promise<void> {
  const env = { ...process.env, NODE_V8_COVERAGE: written, NODE_COMPILE_CACHE: undefined };
  await promisify(execFile)(process.execPath, [file, count], { env });
}

/** Where statements begin, as Vitest tells it: lines count from one, columns from zero. */
function mapOf(offsets: readonly number[]) {
  const places = offsets.map((offset) => {
    const before = program.slice(0, offset).split("\n");
    return { start: { line: before.length, column: before.at(-1)?.length ?? 0 } };
  });
  return { statementMap: Object.fromEntries(places.entries()) };
}
