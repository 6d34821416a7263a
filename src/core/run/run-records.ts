import { HallError } from "../../schema/hall-error.ts";
import type { ApprovalId, JobRunId } from "../../schema/ids.ts";
import type { JobRun, RunState, WaitingFor } from "../../schema/run.ts";
import { createTurns } from "../in-turn.ts";
import type { RunStore } from "./run-store.ts";

export type RunRecords = ReturnType<typeof createRunRecords>;

/** The records of jobs' runs. Changes of one run happen one after the other, and a run that has ended stays as it is. */
export function createRunRecords(store: RunStore) {
  const inTurn = createTurns<JobRunId>();

  const mustGet = (id: JobRunId): JobRun => {
    const run = store.get(id);
    if (run === null) throw new HallError("not_found", `There is no run ${id}.`);
    return run;
  };

  return {
    mustGet,
    isOpen(id: JobRunId): boolean {
      const run = store.get(id);
      return run !== null && !hasEnded(run);
    },
    change: (id: JobRunId, next: (run: JobRun) => JobRun): Promise<JobRun> =>
      inTurn(id, async () => {
        const before = mustGet(id);
        const after = hasEnded(before) ? before : next(before);
        if (after !== before) await store.save(after);
        return after;
      }),
  };
}

export const hasEnded = ({ state }: { state: RunState }): boolean => state === "completed" || state === "failed" || state === "cancelled";

/** A run that waits at a limit. It has no process and needs none. */
export const isPaused = ({ waitingFor }: Pick<JobRun, "waitingFor">): boolean =>
  waitingFor?.kind === "limit" || waitingFor?.kind === "budget";

export const waitsForPerson = (approvalId: ApprovalId, since: string): WaitingFor => ({ kind: "person", since, approvalId });
export const waitsForChild = (run: JobRunId, since: string): WaitingFor => ({ kind: "child", since, run });
