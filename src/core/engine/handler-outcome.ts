import { HallError } from "../../schema/hall-error.ts";
import type { JobFailure } from "./job-engine.ts";
import { interrupted } from "./settle-job.ts";
import type { Settlement } from "./settle-job.ts";

export type HandlerReturn = {
  /** What the handler threw; undefined if it returned. */
  thrown: { error: unknown } | undefined;
  cancelRequested: boolean;
  /** The consumer is stopping and has aborted the handler. */
  stopping: boolean;
  attempt: number;
  attempts: number;
};

/** Decides how a job goes on after its handler. */
export function handlerOutcome({ thrown, cancelRequested, stopping, attempt, attempts }: HandlerReturn): Settlement {
  if (cancelRequested) return { next: "end", state: "cancelled", failure: null };
  if (thrown === undefined) return { next: "end", state: "completed", failure: null };
  if (!stopping) return { next: "end", state: "failed", failure: failureOf(thrown.error) };
  return attempt < attempts ? { next: "wait" } : { next: "end", state: "failed", failure: interrupted };
}

function failureOf(error: unknown): JobFailure {
  if (error instanceof HallError) return { code: error.code, message: error.message };
  return { code: "internal", message: error instanceof Error ? error.message : String(error) };
}
