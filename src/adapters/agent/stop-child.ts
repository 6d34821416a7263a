import { endChild } from "../processes/end-child.ts";
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
export function stopChild({ child, interrupt, close }: Stoppable): Promise<void> {
  const first = interrupt === null ? { ask: () => child.kill("SIGTERM"), ms: 0 } : { ask: interrupt, ms: patience.interrupt };
  return endChild(child, [first, { ms: patience.leave }, { ask: close, ms: patience.close }]);
}
