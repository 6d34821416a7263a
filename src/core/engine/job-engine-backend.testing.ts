import type { JobEngine, WorkLimits } from "./job-engine.ts";

/** The storage of one test, and ways to it. */
export type Backend = {
  /** Each call is as good as another process. */
  connect(): JobEngine;
  /** A process of its own that takes jobs of a kind and never finishes one. */
  startRunner(kind: string, limits: WorkLimits): Promise<Runner>;
};

export type Runner = {
  /** The next job it took, as `<id> <attempt>`. */
  taken(): Promise<string>;
  /** kill -9 */
  kill(): Promise<void>;
};
