import type { Schedule } from "../schedule.ts";

export type WatchDeps = {
  /** Looks at the worker, and answers whether any of its jobs runs. */
  look: () => Promise<boolean>;
  /** Whether looking is of use: somebody listens, and the worker can be asked. */
  isWanted: () => boolean;
  schedule: Schedule;
  now: () => number;
  onProblem: (error: unknown) => void;
};

export type WorkerWatch = { begin(): void; wake(): void; close(): void };

const everyMs = { running: 2000, quiet: 10_000, most: 30_000 };

/** Looking takes at most this part of the time, however many jobs there are, unless that would be a pause too long to be called live. */
const share = 1 / 20;

/** Looks at the jobs of one worker for as long as somebody hears what is new: often while one runs, and now and then for those begun elsewhere. */
export function watchWorker({ look, isWanted, schedule, now, onProblem }: WatchDeps): WorkerWatch {
  let cancel: (() => void) | null = null;
  let isLooking = false;
  let isWoken = false;
  let isClosed = false;

  async function round(): Promise<void> {
    cancel = null;
    if (isLooking || isClosed || !isWanted()) return;
    isLooking = true;
    isWoken = false;
    const began = now();
    const isRunning = await look().catch((error: unknown) => {
      onProblem(error);
      return false;
    });
    isLooking = false;
    const pause = Math.max(isRunning ? everyMs.running : everyMs.quiet, Math.min(everyMs.most, (now() - began) / share));
    if (!isClosed) cancel = schedule(isWoken ? 0 : pause, () => void round());
  }

  return {
    /** Somebody begins to listen. Where others do already, the next look is soon enough: many pages that open together are one reason to look, not many. */
    begin(): void {
      if (!isLooking && cancel === null) void round();
    },
    /** Something is likely to have changed. */
    wake(): void {
      isWoken = true;
      if (isLooking) return;
      cancel?.();
      void round();
    },
    close(): void {
      isClosed = true;
      cancel?.();
    },
  };
}
