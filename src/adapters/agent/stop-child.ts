import { waitAtMost } from "../wait-at-most.ts";
import type { ChildProcessHandle } from "./child-process.ts";

export type Stoppable = {
  child: ChildProcessHandle;
  /** Null while the process has no conversation under way: then there is nothing to interrupt. */
  interrupt: (() => Promise<unknown>) | null;
  close: () => void;
};

/** How long each step may take before the next, harder one. Together they stay under half a second. */
const patience = { interrupt: 150, leave: 150, close: 100 };

/**
 * Ends a process so that nothing runs after it. Closing alone would let the agent go on for two seconds, with model calls
 * and tools, so it is interrupted first; it then says what the run has cost, and goes. What stays is closed, and killed
 * with all it started.
 */
export async function stopChild({ child, interrupt, close }: Stoppable): Promise<void> {
  if (interrupt === null) child.kill("SIGTERM");
  else await waitAtMost(patience.interrupt, Promise.race([interrupt().catch(() => undefined), child.gone()]));
  await waitAtMost(patience.leave, child.gone());
  close();
  await waitAtMost(patience.close, child.gone());
  child.kill("SIGKILL");
  await child.gone();
}
