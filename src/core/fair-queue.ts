export type FairQueue = {
  /**
   * Resolves when there is room, with a function that gives the room back (idempotent). Rejects with the signal's reason
   * when that aborts first. `onWait` is called only where the caller really has to wait.
   */
  acquire(lane: string, signal: AbortSignal, onWait?: () => void): Promise<() => void>;
  /** How many hold room, and how many wait for it. */
  load(): { held: number; waiting: number };
};

type Waiter = { grant: () => void };

/** Room for a bounded number. Lanes take turns, and inside a lane the first to come is the first served: a lane that asks often cannot keep the others out. */
export function createFairQueue(capacity: number): FairQueue {
  const lanes = new Map<string, Waiter[]>();
  let held = 0;

  const take = (): (() => void) => {
    held += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      held -= 1;
      grantNext();
    };
  };

  const grantNext = (): void => {
    const next = lanes.entries().next();
    if (next.done === true || held >= capacity) return;
    const [lane, waiters] = next.value;
    const waiter = waiters.shift();
    // The lane goes to the end of the line; a Map keeps the order in which keys were set.
    lanes.delete(lane);
    if (waiters.length > 0) lanes.set(lane, waiters);
    waiter?.grant();
  };

  const forget = (lane: string, waiter: Waiter): void => {
    const rest = (lanes.get(lane) ?? []).filter((one) => one !== waiter);
    if (rest.length === 0) lanes.delete(lane);
    else lanes.set(lane, rest);
  };

  return {
    acquire(lane, signal, onWait) {
      if (signal.aborted) return Promise.reject(abortReason(signal));
      if (held < capacity) return Promise.resolve(take());
      onWait?.();
      return new Promise((resolve, reject) => {
        const leave = () => {
          forget(lane, waiter);
          reject(abortReason(signal));
        };
        const waiter: Waiter = {
          grant: () => {
            signal.removeEventListener("abort", leave);
            resolve(take());
          },
        };
        lanes.set(lane, [...(lanes.get(lane) ?? []), waiter]);
        signal.addEventListener("abort", leave, { once: true });
      });
    },
    load: () => ({ held, waiting: [...lanes.values()].reduce((sum, waiters) => sum + waiters.length, 0) }),
  };
}

const abortReason = (signal: AbortSignal): Error => (signal.reason instanceof Error ? signal.reason : new Error("The wait was given up."));
