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
  let heldBack = 0;

  /** A pause holds back runs that have not had a slot yet. */
  async function afterPause(signal: AbortSignal, onWait?: () => void): Promise<void> {
    if (paused === null) return;
    onWait?.();
    const left = Promise.withResolvers<void>();
    const leave = () => left.reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    heldBack += 1;
    try {
      while (paused !== null) await Promise.race([paused.promise, left.promise]);
    } finally {
      heldBack -= 1;
      signal.removeEventListener("abort", leave);
    }
  }

  const refusal = (): HallError =>
    closing.signal.aborted
      ? new HallError("interrupted", "The hall was stopped before this could run.")
      : new HallError("stopped", "The run was stopped.");

  return {
    /** The slot of one run. Lanes take turns, so a lane that asks for many slots cannot keep the others out. */
    of(lane: string, begun: { hasBegun: boolean } = { hasBegun: false }): Slot {
      let held: Promise<() => void> | null = null;
      let { hasBegun } = begun;
      // A request that was refused holds no slot.
      const give = (): void => {
        held?.then((release) => release()).catch(() => undefined);
        held = null;
      };
      return {
        async take(given, onWait) {
          const signal = AbortSignal.any([given, closing.signal]);
          let acquired: typeof held = null;
          try {
            for (;;) {
              if (!hasBegun) await afterPause(signal, onWait);
              acquired = held ??= queue.acquire(lane, signal, onWait);
              await acquired;
              if (hasBegun || paused === null) break;
              // New runs were paused while it waited.
              give();
            }
            hasBegun = true;
          } catch {
            // The run may have asked for a slot again since.
            if (held === acquired) held = null;
            throw refusal();
          }
        },
        give,
      };
    },
    /** Resolves when new runs are not paused. For a run that needs something else before its slot. */
    async unpaused(given: AbortSignal, onWait?: () => void): Promise<void> {
      await afterPause(AbortSignal.any([given, closing.signal]), onWait).catch(() => {
        throw refusal();
      });
    },
    load(): { held: number; waiting: number } {
      const { held, waiting } = queue.load();
      return { held, waiting: waiting + heldBack };
    },
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
