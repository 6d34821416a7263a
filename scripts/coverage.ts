import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setInterval as every } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createChildCoverage } from "./line-coverage/child-coverage.ts";
import { readLines } from "./line-coverage/covered-lines.ts";
import { foldersOf } from "./line-coverage/folders.ts";
import { printFiles, printFolders } from "./line-coverage/print.ts";

const root = join(import.meta.dirname, "..");
/** To count takes time, in every process. */
const patience = ["--testTimeout=240000", "--hookTimeout=240000"];
const { values, positionals } = parseArgs({ options: { files: { type: "boolean", default: false } }, allowPositionals: true });

const folder = await mkdtemp(join(tmpdir(), "guild-hall-coverage-"));
const children = createChildCoverage(join(root, "src"));
const tests = await runTests();
const unread = await children.take(folder);
await rm(folder, { recursive: true, force: true, maxRetries: 5 });

const report = join(root, "coverage/coverage-final.json");
if (!existsSync(report)) {
  console.error("The tests ended before they could say which lines they ran.");
  process.exit(1);
}
const folders = foldersOf(await readLines(report, children), join(root, "src"));
process.stdout.write(`\n${printFolders(folders)}`);
if (values.files) process.stdout.write(`\n${printFiles(folders)}`);
if (unread > 0) process.stdout.write(`\nOf ${unread} processes it is not known what they ran: they ended while they were writing it.\n`);
process.exitCode = tests === 0 && folders.every(({ percent, bar }) => percent >= bar) ? 0 : 1;

/** What a hall writes is several megabytes, nearly all of it about its packages: it is read and removed while the suites run. */
async function runTests(): Promise<unknown> {
  const program = join(root, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [program, "run", "--coverage", ...patience, ...positionals], {
    cwd: root,
    env: { ...process.env, COVERAGE_OF_CHILDREN: folder },
    stdio: "inherit",
  });
  const exited = once(child, "exit");
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  for await (const _ of every(1000)) {
    await children.take(folder);
    if (isOver()) break;
  }
  const [code] = (await exited) as [number | null]; // as Node documents "exit"
  return code;
}
