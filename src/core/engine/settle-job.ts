import type { EndState, JobFailure } from "./job-engine.ts";

/** An open job that no handler is running. */
export type OpenRecord = {
  /** How many times it was taken. */
  attempt: number;
  cancelRequested: boolean;
};

export type Settlement = { next: "wait" } | { next: "end"; state: EndState; failure: JobFailure | null };

/** Decides whether a job that an earlier life left goes on waiting or ends. */
export function settleJob({ attempt, cancelRequested }: OpenRecord, attempts: number): Settlement {
  if (cancelRequested) return { next: "end", state: "cancelled", failure: null };
  if (attempt < attempts) return { next: "wait" };
  return { next: "end", state: "failed", failure: interrupted };
}

export const interrupted: JobFailure = { code: "interrupted", message: "The process that ran this ended before the work was done." };
