import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createEffort, effortOptions } from "./effort.ts";
import { parts } from "./parts.ts";
import { watchChildren } from "./watch-children.ts";

/**
 * `run-part.ts <part> [--trial --minutes N]`: one part in a process of its own, which finds nothing that another part left. It sends
 * its rows to whoever started it. What it has started and written goes with it: when it is through, when it broke off, when somebody
 * ends it, and when whoever started it is gone.
 */
const { values, positionals } = parseArgs({ allowPositionals: true, options: effortOptions });
const part = parts[positionals[0] ?? ""];
if (part === undefined) throw new Error(`There is no part called ${positionals[0]}.`);

const children = watchChildren();
const folder = await mkdtemp(join(tmpdir(), "guild-hall-bench-"));
// Everybody below makes their folders in here, other processes included.
process.env["TMPDIR"] = folder;

let leaving: Promise<never> | undefined;
const leave = (code: number): Promise<never> => (leaving ??= leaveWith(code));
for (const signal of ["SIGINT", "SIGTERM", "disconnect"]) process.on(signal, () => void leave(130));
process.on("uncaughtException", breakOff);

try {
  const rows = await part.run(createEffort(values));
  await new Promise((resolve) => process.send?.(rows, resolve) ?? resolve(null));
  await leave(0);
} catch (error) {
  breakOff(error);
}

function breakOff(reason: unknown): void {
  // What is ended in the middle fails everywhere, and nobody asked for that.
  if (leaving === undefined) console.error(reason);
  void leave(1);
}

async function leaveWith(code: number): Promise<never> {
  await children.end();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(code);
}
