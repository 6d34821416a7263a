import { startAwakeTimer } from "../awake-timer.ts";

export type Watchdog = {
  /** Something happened. `allowMs` is silence that was announced, such as the wait before a retry. */
  touch(allowMs?: number): void;
  /** Stops the clock until the function it returns is called. Pauses may overlap. */
  pause(): () => void;
  end(): void;
};

/** Calls `onSilent` once when nothing happened for `silenceMs` of time awake while no pause was open. */
export function createWatchdog(silenceMs: number, onSilent: () => void): Watchdog {
  let cancel: (() => void) | undefined;
  let pauses = 0;
  let over = false;

  const wind = (allowMs: number): void => {
    cancel?.();
    if (over || pauses > 0) return;
    cancel = startAwakeTimer(silenceMs + allowMs, () => {
      over = true;
      onSilent();
    });
  };
  wind(0);

  return {
    touch: (allowMs = 0) => wind(allowMs),
    pause() {
      pauses += 1;
      cancel?.();
      let resumed = false;
      return () => {
        if (resumed) return;
        resumed = true;
        pauses -= 1;
        wind(0);
      };
    },
    end() {
      over = true;
      cancel?.();
    },
  };
}
