import { HallError } from "../../schema/hall-error.ts";
import { isWorker } from "../../schema/manifest.ts";
import type { MemberName } from "../../schema/ids.ts";
import type { WorkerHandle } from "../worker/worker-handle.ts";
import type { JobChange, Workers } from "../worker/workers.ts";
import type { RosterEntry } from "./roster-entry.ts";
import { notConnected } from "./supervisor.ts";

type RosterWorkersDeps = {
  all: () => readonly RosterEntry[];
  /** Throws where there is none. */
  find: (name: string) => RosterEntry;
  onComingAndGoing: Workers["onComingAndGoing"];
};

/** The members of the Roster that take jobs. */
export function createRosterWorkers({ all, find, onComingAndGoing }: RosterWorkersDeps): Workers {
  const listeners = new Set<(change: JobChange) => void>();
  const tell = (change: JobChange): void => listeners.forEach((listen) => listen(change));

  return {
    list: () =>
      all()
        .flatMap(({ found: { manifest }, program, describe }) => {
          if (manifest === null || program === null || !isWorker(manifest)) return [];
          const { status, error } = describe();
          return [{ name: manifest.name, missing: status === "connected" ? null : notConnected(manifest.name, error).message }];
        })
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),

    get(name) {
      const { found, program, describe } = find(name);
      if (found.manifest !== null && !isWorker(found.manifest))
        throw new HallError("conflict", `Guild member "${name}" takes no jobs: its manifest does not declare the capability "worker".`);
      const worker = program?.supervisor.worker ?? null;
      if (found.manifest === null || worker === null) throw notConnected(name, describe().error);
      return telling(found.manifest.name, worker, tell);
    },

    onComingAndGoing,
    onJob: (listen) => void listeners.add(listen),
  };
}

/** Whoever uses the handle, what changes through it is told. */
function telling(worker: MemberName, handle: WorkerHandle, tell: (change: JobChange) => void): WorkerHandle {
  return {
    ...handle,
    async dispatch(job, signal) {
      const dispatched = await handle.dispatch(job, signal);
      tell({ worker, jobId: dispatched.jobId, status: "running" });
      return dispatched;
    },
    async cancel(jobId, signal) {
      const cancelled = await handle.cancel(jobId, signal);
      tell({ worker, jobId, status: cancelled.status });
      return cancelled;
    },
    async delete(jobId, signal) {
      const deleted = await handle.delete(jobId, signal);
      tell({ worker, jobId, status: null });
      return deleted;
    },
  };
}
