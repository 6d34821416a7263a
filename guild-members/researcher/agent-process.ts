import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { PassThrough } from "node:stream";
import type { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { SpawnedProcess, SpawnOptions } from "@anthropic-ai/claude-agent-sdk";

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

export type AgentProcess = {
  /** For the SDK, which calls it once. */
  spawn(options: SpawnOptions): SpawnedProcess;
  /** Null while it runs, or when it was never started. */
  exit(): Exit | null;
  /** The last line it wrote to stderr. */
  lastWords(): string;
  /**
   * Ends it and all that it started. Closing it alone would let the agent go on for two seconds, with model calls and
   * tools, so it is interrupted first, where it is far enough to hear that, and killed soon after.
   */
  stop(interrupt: (() => Promise<unknown>) | null): Promise<void>;
};

const patienceMs = 300;

/**
 * The SDK's process, at the head of a group of its own, so that whatever it starts can be ended with it. It hears nothing before
 * `onSpawn` resolves: one that nobody has on record must not begin to work, since nobody could end it after a crash of ours.
 * The words of `deathSignal` come before its command.
 */
export function createAgentProcess(onSpawn: (pid: number) => Promise<void>, deathSignal: readonly string[]): AgentProcess {
  let exit: Exit | null = null;
  let gone: Promise<unknown> = Promise.resolve();
  let kill = (): void => undefined;
  let stderr = "";

  return {
    spawn({ command, args, cwd, env, signal }) {
      // A program that cannot be started has to fail by itself: `setpriv` would report it as an exit code.
      const [program = command, ...words] = canStart(command) ? [...deathSignal, command, ...args] : [command, ...args];
      const child = spawn(program, words, {
        ...(cwd === undefined ? {} : { cwd }),
        env: { ...env, NODE_ENV: "production" },
        stdio: ["pipe", "pipe", "pipe"],
        detached: true,
      });
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr = (stderr + text).slice(-4_096)));
      // Writing to a process that has just died fails here; its exit says all there is to say.
      child.stdin.on("error", () => undefined);
      const { pid } = child;
      if (pid === undefined) return child;
      kill = () => killGroup(pid);
      gone = new Promise((resolve) => child.once("exit", resolve));
      child.once("exit", (code, exitSignal) => {
        exit = { code, signal: exitSignal };
        killGroup(pid);
      });
      signal.addEventListener("abort", () => exit ?? kill(), { once: true });
      const held = new PassThrough();
      // What cannot be recorded is ended by whoever could not record it.
      void onSpawn(pid).then(
        () => held.pipe(child.stdin),
        () => undefined,
      );
      return withInput(child, held);
    },
    exit: () => exit,
    lastWords: () => stderr.trim().split("\n").at(-1) ?? "",
    async stop(interrupt) {
      if (exit !== null) return;
      if (interrupt !== null) {
        void interrupt().catch(() => undefined);
        const clock = new AbortController();
        await Promise.race([gone, wait(patienceMs, undefined, { signal: clock.signal }).catch(() => undefined)]);
        clock.abort();
      }
      if (exit === null) kill();
      await gone;
    },
  };
}

/** The SDK names its program by its full path. */
function canStart(program: string): boolean {
  try {
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function withInput(child: ChildProcess & { stdout: Readable }, stdin: Writable): SpawnedProcess {
  return {
    stdin,
    stdout: child.stdout,
    get killed() {
      return child.killed;
    },
    get exitCode() {
      return child.exitCode;
    },
    get signalCode() {
      return child.signalCode;
    },
    kill: (signal) => child.kill(signal),
    on: child.on.bind(child),
    once: child.once.bind(child),
    off: child.off.bind(child),
  };
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch (error) {
    // Nobody is left in it, or nobody of ours.
    if (!(error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM"))) throw error;
  }
}
