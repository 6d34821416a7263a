import type { CheckRequest } from "./check-input.ts";
import type { Issue } from "./issue.ts";

export type Checker = {
  /** What is wrong with the input, or null where that could not be found out in time: then only the hall's word counts. */
  check(request: CheckRequest): Promise<readonly Issue[] | null>;
  close(): void;
};

/** What goes to the worker and what comes back, one for one, after it has said that it is there. */
export type CheckAsked = { id: number; request: CheckRequest };
export type CheckAnswered = { id: number; issues: readonly Issue[] | null };
export type CheckerSaid = "ready" | CheckAnswered;

export type CheckerDeps = {
  openWorker: () => Worker;
  /** A check that takes longer is given up, and the worker with it. */
  mostMs?: number;
  /** The browser has to fetch the worker first, which is not the schema's fault. */
  mostLoadingMs?: number;
};

/** Checks inputs in a worker, which is opened when there is something to check and anew after one that did not come back. */
export function createChecker({ openWorker, mostMs = 1000, mostLoadingMs = 15_000 }: CheckerDeps): Checker {
  type Asked = { settle: (issues: readonly Issue[] | null) => void; timer: ReturnType<typeof setTimeout> };
  const waiting = new Map<number, Asked>();
  let worker: Worker | null = null;
  let isReady = false;
  let asked = 0;

  const settle = (id: number, issues: readonly Issue[] | null) => {
    const found = waiting.get(id);
    clearTimeout(found?.timer);
    waiting.delete(id);
    found?.settle(issues);
  };
  const giveUp = () => {
    worker?.terminate();
    worker = null;
    isReady = false;
    for (const id of waiting.keys()) settle(id, null);
  };
  const begin = () => {
    isReady = true;
    for (const each of waiting.values()) {
      clearTimeout(each.timer);
      each.timer = setTimeout(giveUp, mostMs);
    }
  };
  const open = (): Worker => {
    const opened = openWorker();
    opened.addEventListener("message", ({ data }: MessageEvent<CheckerSaid>) => {
      if (data === "ready") begin();
      else settle(data.id, data.issues);
    });
    opened.addEventListener("error", giveUp);
    return opened;
  };
  return {
    check: (request) => {
      asked += 1;
      const id = asked;
      const message: CheckAsked = { id, request };
      return new Promise((resolve) => {
        waiting.set(id, { settle: resolve, timer: setTimeout(giveUp, isReady ? mostMs : mostLoadingMs) });
        (worker ??= open()).postMessage(message);
      });
    },
    close: giveUp,
  };
}
