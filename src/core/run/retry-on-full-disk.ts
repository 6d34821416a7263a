import type { ErrorCode } from "../../schema/error-code.ts";
import { isPassing } from "../passing-failure.ts";

/** Repeats a write for as long as the disk is full, read-only or out of order. */
export type DiskRetry = <Result>(write: () => Promise<Result>) => Promise<Result>;

type DiskRetryDeps = {
  pause: (ms: number) => Promise<void>;
  /** The hall is closing: there is one last try. */
  isOver: () => boolean;
  /** Called with the first failure of a write that is tried again. */
  onHeld: (reason: { code: ErrorCode; message: string }) => void;
};

const pauseMs = 1000;

export function createDiskRetry({ pause, isOver, onHeld }: DiskRetryDeps): DiskRetry {
  return async (write) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await write();
      } catch (error) {
        if (!isPassing(error) || isOver()) throw error;
        if (attempt === 1) onHeld({ code: error.code, message: error.message });
        await pause(pauseMs);
      }
    }
  };
}
