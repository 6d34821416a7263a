import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { OrdinaryUser } from "../../../test/ordinary-user.ts";

/** Runs a program as a process of its own; it is gone when the test is over. */
export function startProgram(file: URL, args: readonly string[], options: { user?: OrdinaryUser; env?: NodeJS.ProcessEnv } = {}) {
  const { user = { ids: {}, node: process.execPath, pathOf: fileURLToPath }, ...more } = options;
  const child = spawn(user.node, [user.pathOf(file), ...args], { stdio: ["pipe", "pipe", "inherit"], ...user.ids, ...more });
  const exited = once(child, "exit");
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(kill);
  return {
    pid: child.pid ?? 0,
    /** The next line it prints; empty once it ended. */
    async line(): Promise<string> {
      const next = await lines.next();
      return next.done === true ? "" : next.value;
    },
    say: (line: string) => child.stdin.write(`${line}\n`),
    async end(): Promise<void> {
      child.stdin.end();
      await exited;
    },
    kill,
    pause: () => child.kill("SIGSTOP"),
  };
}
