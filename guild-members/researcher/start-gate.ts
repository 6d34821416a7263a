export type StartGate = {
  /**
   * Resolves when there is room for one more start, with what gives the room back; only the first call of that counts. Whoever
   * is told to stop while waiting need not wait any longer.
   */
  enter(signal: AbortSignal): Promise<() => void>;
};

/**
 * An agent's process needs most of its processor time before its first question to the model. Many that start at once only take
 * turns on the same cores, and all of them come late.
 */
export function createStartGate(atOnce: number): StartGate {
  const waiting = new Set<() => void>();
  let free = atOnce;

  function leave(): void {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  }

  return {
    async enter(signal) {
      let isInside = free > 0;
      if (isInside) free -= 1;
      else isInside = await waitForRoom(waiting, signal);
      return () => {
        if (isInside) leave();
        isInside = false;
      };
    },
  };
}

/** False for one who stopped waiting. */
function waitForRoom(waiting: Set<() => void>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (hasRoom: boolean) => () => {
      waiting.delete(goIn);
      signal.removeEventListener("abort", giveUp);
      resolve(hasRoom);
    };
    const goIn = end(true);
    const giveUp = end(false);
    waiting.add(goIn);
    signal.addEventListener("abort", giveUp);
    if (signal.aborted) giveUp();
  });
}
