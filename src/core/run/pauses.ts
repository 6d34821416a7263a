import { HallError } from "../../schema/hall-error.ts";
import type { RunId } from "../../schema/ids.ts";
import type { WaitingFor } from "../../schema/run.ts";
import type { Schedule } from "../schedule.ts";

/** The waits of a run between two processes: for the provider's usage limit, or at a limit of money or turns. */
export type Pause = Extract<WaitingFor, { kind: "limit" | "budget" }>;

/** `reset` comes by itself, the others from a person. `finish` ends the run with what it has. */
export type PauseDecision = "resume" | "finish" | "reset";

export type ResetClock = {
  schedule: Schedule;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** From 0 to 1. */
  random: () => number;
};

/** All runs that waited for one reset must not ask the provider at the same moment. */
const mostJitterMs = 60_000;
/** The reset is a time of day, and a timer does not count the time that a laptop sleeps. */
const longestTimerMs = 30_000;

export type Pauses = ReturnType<typeof createPauses>;

/** Runs that wait between two processes, and the decisions that let them go on. */
export function createPauses(resetClock: ResetClock) {
  const open = new Map<RunId, { pause: Pause; decide: (decision: PauseDecision) => void }>();

  return {
    /** Resolves with a decision; the provider's limit decides by itself when it is reset. Rejects when the signal aborts. */
    async wait(id: RunId, pause: Pause, signal: AbortSignal): Promise<PauseDecision> {
      const decided = Promise.withResolvers<PauseDecision>();
      const giveUp = () => decided.reject(new HallError("stopped", "The run was stopped."));
      signal.addEventListener("abort", giveUp, { once: true });
      if (signal.aborted) giveUp();
      open.set(id, { pause, decide: decided.resolve });
      const cancel = pause.kind === "limit" ? untilReset(pause.until, resetClock, () => decided.resolve("reset")) : () => {};
      try {
        return await decided.promise;
      } finally {
        cancel();
        open.delete(id);
        signal.removeEventListener("abort", giveUp);
      }
    },
    get: (id: RunId): Pause | null => open.get(id)?.pause ?? null,
    /** Does nothing for a run that does not wait here. */
    decide: (id: RunId, decision: PauseDecision): void => open.get(id)?.decide(decision),
  };
}

/** Calls `onReset` some time after the reset. Returns a function that cancels it. */
export function untilReset(until: string, { schedule, clock, random }: ResetClock, onReset: () => void): () => void {
  const due = Date.parse(until) + random() * mostJitterMs;
  let cancel = () => {};
  const look = (): void => {
    const left = due - clock();
    if (left <= 0) onReset();
    else cancel = schedule(Math.min(left, longestTimerMs), look);
  };
  look();
  return () => cancel();
}
