/** Short, because a step during which the machine sleeps counts whole. */
const stepMs = 1000;

/**
 * Calls `onDue` after `ms` of time awake; what the machine sleeps, or this process is stopped, does not count. On macOS, and for
 * a stopped process, the clock of `setTimeout` goes on. Returns the function that cancels it.
 */
export function startAwakeTimer(ms: number, onDue: () => void): () => void {
  let timer: NodeJS.Timeout;
  function wait(leftMs: number): void {
    const nextMs = Math.min(leftMs, stepMs);
    timer = setTimeout(() => (leftMs > nextMs ? wait(leftMs - nextMs) : onDue()), nextMs);
  }
  wait(ms);
  return () => clearTimeout(timer);
}
