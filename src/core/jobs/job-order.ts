export type Position = { at: number; worker: string; jobId: string };

/** The newest first; those that began at the same moment always in the same order. */
export const inOrder = (a: Position, b: Position): number => b.at - a.at || compare(a.worker, b.worker) || compare(a.jobId, b.jobId);

/** The same, of the jobs of one worker. */
export const newestFirst = (a: Omit<Position, "worker">, b: Omit<Position, "worker">): number => b.at - a.at || compare(a.jobId, b.jobId);

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
