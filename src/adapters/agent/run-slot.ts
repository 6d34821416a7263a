/** The room among all runs that a run holds while it uses the model. It gives the room back while it waits for something else. */
export type RunSlot = {
  /** Resolves when the run has room; at once if it has it already. */
  take(): Promise<void>;
  give(): void;
};

export function createRunSlot(acquire: () => Promise<() => void>): RunSlot {
  let held: Promise<() => void> | null = null;
  return {
    async take() {
      held ??= acquire();
      await held;
    },
    give() {
      // A request that was refused holds no slot.
      held?.then((release) => release()).catch(() => undefined);
      held = null;
    },
  };
}
