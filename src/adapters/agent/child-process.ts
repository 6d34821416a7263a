import type { SpawnedProcess, SpawnOptions } from "@anthropic-ai/claude-agent-sdk";
import { canStart, startChild } from "../processes/child.ts";
import type { Child, ChildExit } from "../processes/child.ts";
import { markNames, newMark } from "../processes/mark.ts";

export type ChildWatch = {
  /** Called before the process exists, unless the program cannot be started. `onExit` follows in any case. */
  onStart?: (child: { mark: string }) => void;
  onSpawn?: (child: { pid: number; mark: string }) => void;
  /** `pid` is undefined if the system refused to start the process. `onSpawn` is not called then. */
  onExit?: (child: { pid: number | undefined; mark: string }) => void;
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
 * A child of the hall that the SDK starts when it is ready to. If the hall dies before the signal of its death is set, the process
 * reads the end of its input and was asked nothing.
 */
export function createChildProcess(watch: ChildWatch, deathSignal: readonly string[]): ChildProcessHandle {
  const mark = newMark("agent");
  let child: Child | null = null;
  let stderr = "";

  return {
    spawn({ command: program, args, cwd: folder, env: given, signal }) {
      // Next's types want NODE_ENV in every environment; the process does not look at it.
      const env = { ...given, NODE_ENV: "production", [markNames.agent]: mark };
      const isAnnounced = canStart(program);
      if (isAnnounced) watch.onStart?.({ mark });
      let started: Child;
      try {
        started = child = startChild({ program, args, folder, env, mark, deathSignal });
      } finally {
        // Node throws some failures, such as E2BIG, and reports others by an event.
        if (isAnnounced && child?.pid === undefined) watch.onExit?.({ pid: undefined, mark });
      }
      const { pid } = started;
      if (pid === undefined) return started.process;
      started.process.stderr.setEncoding("utf8").on("data", (text: string) => (stderr = (stderr + text).slice(-keptStderr)));
      // Before the listeners of the SDK, so that whatever it reports of the exit comes after this.
      started.process.once("exit", () => watch.onExit?.({ pid, mark }));
      signal.addEventListener("abort", () => started.kill("SIGTERM"), { once: true });
      watch.onSpawn?.({ pid, mark });
      return started.process;
    },
    pid: () => child?.pid,
    stderr: () => stderr,
    exit: () => child?.exit() ?? null,
    gone: () => child?.gone() ?? Promise.resolve(),
    kill: (signal) => child?.kill(signal),
  };
}
