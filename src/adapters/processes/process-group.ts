/**
 * Sends a signal to a process and all it started, if it leads a group of its own. False where nobody is left to get it,
 * or nobody who is ours.
 */
export function signalGroup(leader: number, signal: "SIGTERM" | "SIGKILL"): boolean {
  try {
    return process.kill(-leader, signal);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM")) return false;
    throw error;
  }
}
