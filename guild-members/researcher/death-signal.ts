import { execFile } from "node:child_process";
import { promisify } from "node:util";

/**
 * The words to put before a command so that the kernel kills the program when this process dies. `setpriv` sets that and is then
 * replaced by the program. Empty if this system has no `setpriv` that can. Start the program on the main thread: the kernel looks at the thread.
 */
export async function findDeathSignal(): Promise<readonly string[]> {
  if (process.platform !== "linux") return [];
  const words = ["--pdeathsig", "KILL", "--"];
  return promisify(execFile)("setpriv", [...words, "setpriv", "--version"], { timeout: 5000 }).then(
    () => ["setpriv", ...words],
    () => [],
  );
}
