import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import type { SpawnedProcess, SpawnOptions } from "@anthropic-ai/claude-agent-sdk";
import { signalGroup } from "../process-group.ts";

export type ChildExit = { code: number | null; signal: NodeJS.Signals | null };

export type ChildWatch = {
  onSpawn?: (child: { pid: number }) => void;
  onExit?: (child: { pid: number }) => void;
};

export type ChildProcessHandle = {
  /** For the SDK, which calls it once. */
  spawn(options: SpawnOptions): SpawnedProcess;
  pid(): number | undefined;
  /** What the process wrote to stderr last. */
  stderr(): string;
  /** Null while it runs, or when it was never started. */
  exit(): ChildExit | null;
  /** Settles when the process is gone; at once when it was never started. */
  gone(): Promise<void>;
  kill(signal: "SIGTERM" | "SIGKILL"): void;
};

const keptStderr = 8_192;

/**
 * A process that leads a process group, so that everything it started can be ended with it. It dies with the hall: `deathSignal`
 * comes before its command. If the hall dies before the signal is set, the process reads the end of its input and was asked nothing.
 */
export function createChildProcess(watch: ChildWatch, deathSignal: readonly string[]): ChildProcessHandle {
  let pid: number | undefined;
  let exit: ChildExit | null = null;
  let gone: Promise<void> = Promise.resolve();
  let stderr = "";

  const kill = (signal: "SIGTERM" | "SIGKILL"): void => {
    if (pid !== undefined) signalGroup(pid, signal);
  };

  return {
    spawn({ command, args, cwd, env, signal }) {
      // A program that cannot be started has to fail by itself: `setpriv` would report it as an exit code.
      const [program = command, ...words] = canStart(command) ? [...deathSignal, command, ...args] : [command, ...args];
      const child = spawn(program, words, {
        ...(cwd === undefined ? {} : { cwd }),
        // Next's types want this one in every environment; the process does not look at it.
        env: { ...env, NODE_ENV: "production" },
        stdio: ["pipe", "pipe", "pipe"],
        detached: true,
        windowsHide: true,
      });
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr = (stderr + text).slice(-keptStderr)));
      // Writing to a process that has just died fails here; its exit says all there is to say.
      child.stdin.on("error", () => undefined);
      // Before the listeners of the SDK, so that whoever learns of the exit from it finds it recorded.
      child.once("exit", (code, exitSignal) => {
        exit = { code, signal: exitSignal };
        if (child.pid === undefined) return;
        signalGroup(child.pid, "SIGKILL");
        watch.onExit?.({ pid: child.pid });
      });
      pid = child.pid;
      if (pid === undefined) return child;
      gone = new Promise((resolve) => child.once("exit", () => resolve()));
      signal.addEventListener("abort", () => kill("SIGTERM"), { once: true });
      watch.onSpawn?.({ pid });
      return child;
    },
    pid: () => pid,
    stderr: () => stderr,
    exit: () => exit,
    gone: () => gone,
    kill: (signal) => {
      if (exit === null) kill(signal);
    },
  };
}

/** The SDK names its program by its full path. */
function canStart(program: string): boolean {
  try {
    accessSync(program, constants.X_OK);
    return statSync(program).isFile();
  } catch {
    return false;
  }
}
