/** Room for a bounded number of processes. Those who come first are served first. */
export type Places = {
  /** `onWait` is called if there is no room at once. */
  acquire(signal: AbortSignal, onWait: () => void): Promise<() => void>;
  hasQueue(): boolean;
};

export function createPlaces(capacity: number, onQueue: () => void): Places {
  const queue: (() => void)[] = [];
  let held = 0;

  function take(): () => void {
    held += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      held -= 1;
      queue.shift()?.();
    };
  }

  return {
    async acquire(signal, onWait) {
      signal.throwIfAborted();
      if (held < capacity) return take();
      return new Promise((resolve, reject) => {
        const leave = () => {
          const at = queue.indexOf(grant);
          if (at >= 0) queue.splice(at, 1);
          reject(signal.reason instanceof Error ? signal.reason : new Error("The run was stopped."));
        };
        const grant = () => {
          signal.removeEventListener("abort", leave);
          resolve(take());
        };
        queue.push(grant);
        signal.addEventListener("abort", leave, { once: true });
        onWait();
        onQueue();
      });
    },
    hasQueue: () => queue.length > 0,
  };
}
