import { setTimeout as pause } from "node:timers/promises";

const exitMs = 1000;

/**
 * A connection that breaks is often the first sign of a process that ends, and its exit is the better reason. `over` is
 * aborted when that is known.
 */
export async function letExitSpeak(over: AbortSignal): Promise<void> {
  if (!over.aborted) await pause(exitMs, undefined, { signal: over }).catch(() => undefined);
}
