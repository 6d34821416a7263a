import { compareText } from "../compare-text.ts";

export type Position = { at: number; worker: string; jobId: string };

/** The newest first; those that began at the same moment always in the same order. */
export const inOrder = (a: Position, b: Position): number =>
  b.at - a.at || compareText(a.worker, b.worker) || compareText(a.jobId, b.jobId);

/** The same, of the jobs of one worker. */
export const newestFirst = (a: Omit<Position, "worker">, b: Omit<Position, "worker">): number =>
  b.at - a.at || compareText(a.jobId, b.jobId);
