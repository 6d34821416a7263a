import type { EndState, JobFailure } from "./job-engine.ts";

/** What the records say about a job that has not ended. */
export type OpenRecord = {
  /** How many times it was taken. */
  attempt: number;
  /** Whoever took it last may still be at it. */
  hasRunner: boolean;
  cancelRequested: boolean;
};

export type Settlement = { next: "wait" } | { next: "leave" } | { next: "end"; state: EndState; failure: JobFailure | null };

/** What becomes of a job found in the records by somebody who did not run it. Nothing stays "running" that nobody runs. */
export function settleJob({ attempt, hasRunner, cancelRequested }: OpenRecord, attempts: number): Settlement {
  if (hasRunner) return { next: "leave" };
  if (cancelRequested) return { next: "end", state: "cancelled", failure: null };
  if (attempt < attempts) return { next: "wait" };
  return { next: "end", state: "failed", failure: interrupted };
}

export const interrupted: JobFailure = { code: "interrupted", message: "The process that ran this ended before the work was done." };
