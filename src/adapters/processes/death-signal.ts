import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findProgram } from "./find-program.ts";

/** The words to put before a command so that the kernel kills the program when this process dies. Empty if this system cannot. */
export type DeathSignal = () => Promise<readonly string[]>;

/**
 * `setpriv` sets the signal and is then replaced by the program, which keeps pid, group, pipes and environment. The kernel sends
 * the signal when the thread that started the program ends, so start programs on the main thread only.
 */
export function createDeathSignal(env: Readonly<Record<string, string | undefined>>): DeathSignal {
  let probed: Promise<readonly string[]> | undefined;
  return () =>
    (probed ??= probe(env).catch(() => {
      // The machine was busy or out of processes: the next program is asked about again.
      probed = undefined;
      return [];
    }));
}

/** Runs it once, because some versions of `setpriv` do not know the option and some sandboxes refuse the system call. */
async function probe({ PATH = "/usr/local/bin:/usr/bin:/bin" }: Readonly<Record<string, string | undefined>>): Promise<readonly string[]> {
  if (process.platform !== "linux") return [];
  const command = await findProgram("setpriv", "/", { PATH }).catch(() => null);
  if (command === null) return [];
  const words = ["--pdeathsig", "KILL", "--"];
  return promisify(execFile)(command, [...words, command, "--version"], { timeout: 5000 }).then(
    () => [command, ...words],
    (error: unknown) => {
      if (isExit(error)) return [];
      throw error;
    },
  );
}

/** It ran and refused; every other failure may pass. */
const isExit = (error: unknown): boolean => error instanceof Error && "code" in error && typeof error.code === "number";
