import { mkdirSync, readFileSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const prefix = "guild-hall-";
/** The suites have at most two at a time, most of it an installed package. */
const enough = 6 * 1024 ** 3;

/**
 * Before the first test file of a run: what the suites write lies in memory where there is room for it, so that a flush,
 * of which the hall makes many, costs no turn of a disk. Whoever chose a place for temporary files keeps it.
 */
export function setup(): (() => void) | undefined {
  if (process.env["TMPDIR"] !== undefined || !hasRoom()) return undefined;
  for (const name of readdirSync(memory)) if (isOfDeadRun(name)) rmSync(join(memory, name), { recursive: true, force: true });
  const folder = join(memory, `${prefix}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Containers often have little there, and some systems let nothing run that lies there. */
function hasRoom(): boolean {
  try {
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .findLast((line) => line.split(" ")[1] === memory);
    const [, , kind, options = ""] = mount?.split(" ") ?? [];
    const { bavail, bsize } = statfsSync(memory);
    return kind === "tmpfs" && !/\b(noexec|ro)\b/.test(options) && Math.min(bavail * bsize, freemem()) > enough;
  } catch {
    // No Linux.
    return false;
  }
}

/** A run that was killed leaves its folder to the next. */
function isOfDeadRun(name: string): boolean {
  const pid = Number(name.slice(prefix.length));
  if (!name.startsWith(prefix) || !Number.isInteger(pid)) return false;
  try {
    return !process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}
