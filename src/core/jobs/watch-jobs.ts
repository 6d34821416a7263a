import type { MemberName } from "../../schema/ids.ts";
import { watchWorker } from "./watch-worker.ts";
import type { WatchDeps, WorkerWatch } from "./watch-worker.ts";

type WatchJobsDeps = Omit<WatchDeps, "look" | "isWanted"> & {
  /** The workers that can be asked now. */
  connected: () => readonly MemberName[];
  /** Looks at one of them, and answers whether any of its jobs runs. */
  look: (worker: MemberName) => Promise<boolean>;
  isHeard: () => boolean;
};

export type JobWatch = { begin(): void; wake(worker: MemberName): void; close(): void };

/** Looks at each worker on its own, so that one which does not answer keeps nobody from news of the others. */
export function watchJobs({ connected, look, isHeard, ...deps }: WatchJobsDeps): JobWatch {
  const watches = new Map<MemberName, WorkerWatch>();
  let isClosed = false;

  function watchOf(worker: MemberName): WorkerWatch {
    const isWanted = () => isHeard() && connected().includes(worker);
    const watch = watches.get(worker) ?? watchWorker({ ...deps, look: () => look(worker), isWanted });
    watches.set(worker, watch);
    return watch;
  }

  return {
    /** Somebody begins to listen. */
    begin(): void {
      if (isClosed) return;
      for (const name of connected()) watchOf(name).begin();
    },
    /** Something is likely to have changed at a worker. */
    wake(worker): void {
      if (!isClosed) watchOf(worker).wake();
    },
    close(): void {
      isClosed = true;
      for (const watch of watches.values()) watch.close();
    },
  };
}
