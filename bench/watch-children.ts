import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { setTimeout as pause } from "node:timers/promises";

const patienceMs = 15_000;

/** Knows every process that is started here from now on, by whomever, and ends those that are still there when it is told to. */
export function watchChildren(): { end(): Promise<void> } {
  const alive = new Map<ChildProcess, Promise<void>>();
  subscribe("child_process", (message) => {
    const { process: child } = message as { process: ChildProcess }; // as Node documents this channel
    // Not when it exits: npm does so before what it started, which holds its output open.
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
    alive.set(child, closed);
    void closed.then(() => alive.delete(child));
  });
  return {
    async end() {
      for (const signal of ["SIGTERM", "SIGKILL"] as const) {
        for (const child of alive.keys()) send(child, signal);
        await Promise.race([Promise.all(alive.values()), pause(patienceMs)]);
      }
    },
  };
}

/** To its whole group where it has one of its own, for npm hands no signal on. */
function send(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
}
