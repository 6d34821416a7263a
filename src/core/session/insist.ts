import { HallError } from "../../schema/hall-error.ts";
import type { SessionEvent } from "../../schema/session-event.ts";

/** Carries a write out, however long the disk is full. */
export type Insist = <Result>(write: () => Promise<Result>) => Promise<Result>;

type InsistenceDeps = {
  pause: (ms: number) => Promise<void>;
  /** The hall is ending: there is one last try. */
  isOver: () => boolean;
  emit: (event: SessionEvent) => void;
};

const pauseMs = 1000;

/** What was said must come to the disk: while that is full the write is tried again, and whoever watches is told so once. */
export function createInsistence({ pause, isOver, emit }: InsistenceDeps): Insist {
  return async (write) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof HallError) || error.code !== "disk_full" || isOver()) throw error;
        const { code, message } = error;
        if (attempt === 1) emit({ event: "status", data: { status: "running", error: { code, message } } });
        await pause(pauseMs);
      }
    }
  };
}
