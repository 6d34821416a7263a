export type StartGate = {
  /** Resolves when there is room for one more start, with what gives the room back; only the first call of that counts. */
  enter(): Promise<() => void>;
};

/**
 * An agent's process needs most of its processor time before its first question to the model. Many that start at once only take
 * turns on the same cores, and all of them come late.
 */
export function createStartGate(atOnce: number): StartGate {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return {
    async enter() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => void waiting.push(resolve));
      let isInside = true;
      return () => {
        if (!isInside) return;
        isInside = false;
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      };
    },
  };
}
