import type { SessionEvent } from "../../schema/session-event.ts";
import { isPassing } from "../passing-failure.ts";

/** Repeats a write for as long as the disk is full, read-only or out of order. */
export type Insist = <Result>(write: () => Promise<Result>) => Promise<Result>;

type InsistenceDeps = {
  pause: (ms: number) => Promise<void>;
  /** The hall is ending: there is one last try. */
  isOver: () => boolean;
  emit: (event: SessionEvent) => void;
};

const pauseMs = 1000;

/** Retries a write until the disk takes it. Sends the reason to the watchers of the query once. */
export function createInsistence({ pause, isOver, emit }: InsistenceDeps): Insist {
  return async (write) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await write();
      } catch (error) {
        if (!isPassing(error) || isOver()) throw error;
        const { code, message } = error;
        if (attempt === 1) emit({ event: "status", data: { status: "running", error: { code, message } } });
        await pause(pauseMs);
      }
    }
  };
}
