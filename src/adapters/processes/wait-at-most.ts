import { setTimeout as sleep } from "node:timers/promises";

/** Waits for the work, and no longer than so many milliseconds. The work goes on, and nothing is left that would keep a process alive. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const clock = new AbortController();
  await Promise.race([work, sleep(ms, undefined, { signal: clock.signal }).catch(() => undefined)]);
  clock.abort();
}
