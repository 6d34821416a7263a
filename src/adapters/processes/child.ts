import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import type { Writable } from "node:stream";
import { withLockLimit } from "./mark.ts";
import { signalGroup } from "./process-group.ts";

export type ChildRequest = {
  /** By its full path on Linux, where `setpriv` and a shell stand between the hall and the program. */
  program: string;
  args: readonly string[];
  folder?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  mark: string;
  /** Comes before the program, see `death-signal.ts`. */
  deathSignal: readonly string[];
};

export type ChildExit = { code: number | null; signal: NodeJS.Signals | null };

export type Child = {
  process: ChildProcessWithoutNullStreams;
  /** Undefined if it could not be started. The process then reports an error. */
  pid: number | undefined;
  /** Null while it runs, or when it was never started. */
  exit(): ChildExit | null;
  /** Resolves when the process is gone; at once when it was never started. */
  gone(): Promise<void>;
  /** Signals the process and its group, as long as it runs. */
  kill(signal: "SIGTERM" | "SIGKILL"): void;
};

/**
 * Starts a program at the head of a process group, so that everything it starts can be ended with it. On Linux it dies with the
 * hall and carries the limit of its mark; the variable of the mark is in `env`. Its group is killed when it exits.
 */
export function startChild({ program, args, folder, env, mark, deathSignal }: ChildRequest): Child {
  // A program that cannot be started has to fail by itself: the shell would report it as an exit code.
  const isWrapped = process.platform === "linux" && canStart(program);
  const [command = program, ...words] = isWrapped ? [...deathSignal, ...withLockLimit(program, args, mark)] : [program, ...args];
  const child = spawn(command, words, {
    ...(folder === undefined ? {} : { cwd: folder }),
    env: env as NodeJS.ProcessEnv, // Next's types want NODE_ENV in every environment
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
    windowsHide: true,
  });
  const { pid } = child;
  // There are no pipes if the hall has too many files open.
  const stdin: Writable | undefined = child.stdin;
  // Writing to a process that has just died fails here; its exit says all there is to say.
  stdin?.on("error", () => undefined);
  let exit: ChildExit | null = null;
  const gone = new Promise<void>((resolve) => {
    if (pid === undefined) return resolve();
    child.once("exit", (code, signal) => {
      exit = { code, signal };
      signalGroup(pid, "SIGKILL");
      resolve();
    });
  });
  return {
    process: child,
    pid,
    exit: () => exit,
    gone: () => gone,
    kill(signal) {
      if (pid !== undefined && exit === null) signalGroup(pid, signal);
    },
  };
}

export function canStart(program: string): boolean {
  try {
    accessSync(program, constants.X_OK);
    return statSync(program).isFile();
  } catch {
    return false;
  }
}
