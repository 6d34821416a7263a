import { HallError } from "../../schema/hall-error.ts";
import { createFairQueue } from "../fair-queue.ts";

/** The right of one run to use the model. A run gives it back while it waits for something else. */
export type Slot = {
  /**
   * Resolves when the run may use the model; at once if it already may. `onWait` is called only if the slot is not free at
   * once. Rejects with `stopped` when the signal aborts, and with `interrupted` when the hall closes.
   */
  take(signal: AbortSignal, onWait?: () => void): Promise<void>;
  /** Idempotent. */
  give(): void;
};

export type Slots = ReturnType<typeof createSlots>;

/** The only limit on how many runs use the model at the same time. */
export function createSlots(atOnce: number) {
  const queue = createFairQueue(atOnce);
  const closing = new AbortController();
  let paused: PromiseWithResolvers<void> | null = null;

  /** A pause holds back runs that have not had a slot yet. */
  async function afterPause(signal: AbortSignal, onWait?: () => void): Promise<void> {
    if (paused === null) return;
    onWait?.();
    const left = Promise.withResolvers<void>();
    const leave = () => left.reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    try {
      while (paused !== null) await Promise.race([paused.promise, left.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  return {
    /** The slot of one run. Lanes take turns, so a lane that asks for many slots cannot keep the others out. */
    of(lane: string): Slot {
      let held: Promise<() => void> | null = null;
      let hasBegun = false;
      return {
        async take(given, onWait) {
          const signal = AbortSignal.any([given, closing.signal]);
          let acquired: typeof held = null;
          try {
            if (!hasBegun) await afterPause(signal, onWait);
            acquired = held ??= queue.acquire(lane, signal, onWait);
            await acquired;
            hasBegun = true;
          } catch {
            // The run may have asked for a slot again since.
            if (held === acquired) held = null;
            throw closing.signal.aborted
              ? new HallError("interrupted", "The hall was stopped before this could run.")
              : new HallError("stopped", "The run was stopped.");
          }
        },
        give() {
          // A request that was refused holds no slot.
          held?.then((release) => release()).catch(() => undefined);
          held = null;
        },
      };
    },
    load: queue.load,
    isPaused: (): boolean => paused !== null,
    /** From now on only runs that have begun get a slot. */
    pause(): void {
      paused ??= Promise.withResolvers();
    },
    unpause(): void {
      paused?.resolve();
      paused = null;
    },
    /** Refuses every slot from now on. A run that has one keeps it. */
    close: (): void => closing.abort(),
  };
}
