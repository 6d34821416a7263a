import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { lastSignal, nodeEnvironment } from "../counted-process.ts";

export const launcher = join(import.meta.dirname, "../../bin/guild-hall.js");

export type CliResult = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

type CliOptions = { cwd?: string; env?: Record<string, string>; node?: string; launcher?: string };

/** Runs a command to its end. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return startCli(args, options).ended;
}

export type RunningCli = {
  child: ChildProcessByStdio<null, Readable, Readable>;
  ended: Promise<CliResult>;
  /** Resolves with the first match in what was printed so far; rejects when the command ends without one. */
  says(pattern: RegExp): Promise<string>;
  /** What a terminal does: every process of the command gets the signal. */
  pressCtrlC(): void;
};

/** Starts a command that stays. It is gone when the test ends, whatever happened. */
export function startCli(
  args: readonly string[],
  { cwd, env = {}, node = process.execPath, launcher: file = launcher }: CliOptions = {},
): RunningCli {
  const child = spawn(node, [file, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    env: bareEnvironment(env),
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, as a terminal gives every command.
    detached: true,
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said.stderr += chunk.toString()));
  const ended = once(child, "close").then(([code, signal]: unknown[]) => ({
    code: code as number | null, // Node's own signature of "close"
    signal: signal as NodeJS.Signals | null,
    ...said,
  }));
  const signalGroup = (signal: NodeJS.Signals): void => {
    // A command that has ended has no group any more.
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) process.kill(-child.pid, signal);
  };
  onTestFinished(async () => {
    signalGroup(lastSignal());
    await ended;
  });
  const says = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(`${said.stdout}\n${said.stderr}`);
        if (found !== null) resolve(found[1] ?? found[0]);
      };
      child.stdout.on("data", look);
      child.stderr.on("data", look);
      look();
      void ended.then((result) => reject(new Error(`It ended without saying ${pattern}: ${JSON.stringify(result)}`)));
    });
  return { child, ended, says, pressCtrlC: () => signalGroup("SIGINT") };
}

/** Starts a hall on a free port and waits until it says where it is open. */
export async function openHall(
  home: string,
  { args = [], ...options }: CliOptions & { args?: string[] } = {},
): Promise<RunningCli & { url: string; entryUrl: string }> {
  const cli = startCli(["serve", "--home", home, "--port", "0", ...args], options);
  const entryUrl = await cli.says(/open at (http:\S+)/);
  return { ...cli, entryUrl, url: new URL(entryUrl).origin };
}

/** The Node a person has installed, in front of which the checkout puts its own. The same one where there is no other. */
export function machineNode(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  return folders.map((folder) => join(folder, "node")).find(existsSync) ?? process.execPath;
}

/** Without the keys, colours and Claude login of whoever runs the suite. Next's types want a NODE_ENV, which a person's shell does not have. */
function bareEnvironment(added: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, TMPDIR } = process.env;
  const HOME = join(tmpdir(), "guild-hall-nobody");
  return { PATH, TMPDIR, ...nodeEnvironment(), HOME, ...added } as unknown as NodeJS.ProcessEnv;
}
