import type { Logger } from "pino";

export type Housekeeping = {
  /** Does it all now; whoever asks meanwhile gets the same round. */
  run(): Promise<void>;
  close(): Promise<void>;
};

/** By name, in the order they are done. Each answers how much it removed. */
export type Tasks = Readonly<Record<string, () => Promise<number | void>>>;

type HousekeepingDeps = {
  tasks: Tasks;
  log: Pick<Logger, "info" | "warn">;
  everyMs?: number;
};

const dayMs = 24 * 60 * 60 * 1000;

/** What must be done now and then so that nothing grows without bound: once soon after the start, and then every day. */
export function startHousekeeping({ tasks, log, everyMs = dayMs }: HousekeepingDeps): Housekeeping {
  let round: Promise<void> | null = null;
  let isClosed = false;

  async function doAll(): Promise<void> {
    for (const [task, work] of Object.entries(tasks)) {
      if (isClosed) return;
      // One that fails keeps no other from being done, and is tried again the next day.
      const removed = await work().catch((err: unknown) => {
        log.warn({ err, task }, "housekeeping failed");
      });
      if (typeof removed === "number" && removed > 0) log.info({ task, removed }, "housekeeping");
    }
  }

  function run(): Promise<void> {
    round ??= doAll().finally(() => (round = null));
    return round;
  }

  const timer = setInterval(() => void run(), everyMs);
  timer.unref();
  void run();

  return {
    run,
    async close() {
      isClosed = true;
      clearInterval(timer);
      await round;
    },
  };
}
