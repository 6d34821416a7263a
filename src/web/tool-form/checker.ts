import type { CheckRequest } from "./check-input.ts";
import type { Issue } from "./issue.ts";

export type Checker = {
  /** What is wrong with the input, or null where that could not be found out in time: then only the hall's word counts. */
  check(request: CheckRequest): Promise<readonly Issue[] | null>;
  close(): void;
};

/** What goes to the worker and what comes back, one for one. */
export type CheckAsked = { id: number; request: CheckRequest };
export type CheckAnswered = { id: number; issues: readonly Issue[] | null };

export type CheckerDeps = {
  openWorker: () => Worker;
  /** A check that takes longer is given up, and the worker with it. */
  mostMs?: number;
};

/** Checks inputs in a worker, which is opened when there is something to check and anew after one that did not come back. */
export function createChecker({ openWorker, mostMs = 1000 }: CheckerDeps): Checker {
  const waiting = new Map<number, (issues: readonly Issue[] | null) => void>();
  let worker: Worker | null = null;
  let asked = 0;

  const giveUp = () => {
    worker?.terminate();
    worker = null;
    for (const settle of waiting.values()) settle(null);
    waiting.clear();
  };
  const open = (): Worker => {
    const opened = openWorker();
    opened.addEventListener("message", ({ data }: MessageEvent<CheckAnswered>) => {
      waiting.get(data.id)?.(data.issues);
      waiting.delete(data.id);
    });
    opened.addEventListener("error", giveUp);
    return opened;
  };
  return {
    check: async (request) => {
      asked += 1;
      const id = asked;
      const message: CheckAsked = { id, request };
      const answered = new Promise<readonly Issue[] | null>((resolve) => void waiting.set(id, resolve));
      (worker ??= open()).postMessage(message);
      const timer = setTimeout(giveUp, mostMs);
      return answered.finally(() => clearTimeout(timer));
    },
    close: giveUp,
  };
}
