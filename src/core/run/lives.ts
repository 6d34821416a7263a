import type { JobRunId } from "../../schema/ids.ts";
import type { JobRun, WaitingFor } from "../../schema/run.ts";
import type { ToolContext } from "../agent/agent-run.ts";
import type { Schedule } from "../schedule.ts";
import { createPlaces } from "./places.ts";
import type { RunStore } from "./run-store.ts";

/** Waits in a tool or a gate. `parked` says that the process must go, and that the run goes on without it. */
export type Wait = <Result>(context: ToolContext, what: WaitingFor, work: Promise<Result>) => Promise<{ settled: Result } | "parked">;

/** A run while it has a process, or waits for one. */
export type Life = {
  signal: AbortSignal;
  wait: Wait;
  /** Takes a place for a process. Call what it returns when the process is gone. */
  takePlace(onWait: () => void): Promise<() => void>;
  /** A call of the model began, or has its result. */
  onCall(callId: string): void;
  onResult(callId: string): void;
  end(): void;
};

type Inside = {
  abort: AbortController;
  /** Calls that began and have no result yet, and those of them that wait. */
  begun: Set<string>;
  waits: Map<string, WaitingFor>;
  parked: PromiseWithResolvers<"parked">;
  /** It has waited long enough for a person, or others need its place. */
  isDue: boolean;
};

export type LivesDeps = {
  store: RunStore;
  /** How many root runs have a process at the same time. */
  processes: number;
  /** How long a process is kept for a run in which every call waits for a person. */
  parkAfterMs: number;
  schedule: Schedule;
};

/** The runs that have a process, and when a process is no longer worth its memory. */
export function createLives({ store, processes, parkAfterMs, schedule }: LivesDeps) {
  const lives = new Map<JobRunId, Inside>();
  const places = createPlaces(processes, relieve);

  /** A process goes when each of its calls waits: for a person long enough, or for a child that has no process either. */
  function considerParking(id: JobRunId): void {
    const life = lives.get(id);
    if (life === undefined || !onlyWaits(life)) return;
    const isResting = (what: WaitingFor) =>
      what.kind === "child" ? !lives.has(what.run) && store.get(what.run)?.state === "waiting" : life.isDue;
    if ([...life.waits.values()].every(isResting)) life.parked.resolve("parked");
  }

  /** Frees a place for another root run: parks the tree that has waited longest for a person, among those in which every call waits. */
  function relieve(): void {
    const trees = Map.groupBy(lives, ([id]) => store.get(id)?.root);
    const waiting = [...trees.values()].filter((tree) => tree.every(([, life]) => onlyWaits(life)));
    const [longest = []] = waiting.toSorted((a, b) => (waitsSince(a) < waitsSince(b) ? -1 : 1));
    for (const [id, life] of longest) {
      life.isDue = true;
      considerParking(id);
    }
  }

  const waitIn =
    (id: JobRunId, life: Inside): Wait =>
    async ({ callId, signal, waitFor }, what, work) => {
      const gone = Promise.withResolvers<never>();
      const giveUp = () => gone.reject(new Error("The run was stopped."));
      signal.addEventListener("abort", giveUp, { once: true });
      life.waits.set(callId, what);
      const cancelTimer = schedule(parkAfterMs, () => {
        life.isDue = true;
        considerParking(id);
      });
      if (places.hasQueue()) relieve();
      considerParking(id);
      try {
        if (signal.aborted) giveUp();
        return await waitFor(what, () => Promise.race([work.then((settled) => ({ settled })), life.parked.promise, gone.promise]));
      } finally {
        cancelTimer();
        signal.removeEventListener("abort", giveUp);
        life.waits.delete(callId);
      }
    };

  return {
    begin({ id }: JobRun): Life {
      const life: Inside = {
        abort: new AbortController(),
        begun: new Set(),
        waits: new Map(),
        parked: Promise.withResolvers(),
        isDue: false,
      };
      lives.set(id, life);
      return {
        signal: life.abort.signal,
        wait: waitIn(id, life),
        takePlace: (onWait) => places.acquire(life.abort.signal, onWait),
        onCall: (callId) => void life.begun.add(callId),
        onResult(callId) {
          life.begun.delete(callId);
          considerParking(id);
        },
        end: () => void lives.delete(id),
      };
    },
    abort: (id: JobRunId): void => lives.get(id)?.abort.abort(),
    considerParking,
  };
}

/** Every call that began waits for something. */
const onlyWaits = ({ begun, waits }: Inside): boolean => waits.size > 0 && [...begun].every((call) => waits.has(call));

const waitsSince = (tree: readonly (readonly [JobRunId, Inside])[]): string =>
  tree.flatMap(([, { waits }]) => [...waits.values()].flatMap(({ kind, since }) => (kind === "person" ? [since] : []))).toSorted()[0] ??
  "~";
