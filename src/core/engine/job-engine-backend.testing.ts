import type { ConsumeOptions, JobEngine } from "./job-engine.ts";

/** What an engine can do besides what all promise. */
export type Abilities = {
  /** Several processes may work at once; a frozen one loses its jobs to the others. */
  severalProcesses: boolean;
  /** How many waiting jobs it is tried with, in hundreds. */
  waitingJobs: number;
};

/** The storage of one test, and ways to it. */
export type Backend = {
  /** Opens and starts the engine in this process; it is closed when the test is over. Rejects while another has it, if only one may. */
  open(): Promise<JobEngine>;
  /** The same, with writes that need not survive a power cut: for tests of very many jobs. */
  openCarelessly(): Promise<JobEngine>;
  /** Starts a process that consumes jobs of a kind. Its handlers and settlers wait for `finish`. */
  startProcess(kind: string, options: Pick<ConsumeOptions, "capacity" | "attempts">): Promise<EngineProcess>;
};

export type EngineProcess = {
  /** The next thing that happened: `run <id> <attempt>`, `abort <id>`, `settle <id> <state>`, `ended <id>` or `cancelled <id>`; empty after its end. */
  next(): Promise<string>;
  /** Lets the handler or the settler of a job return. */
  finish(id: string): void;
  cancel(id: string): void;
  /** kill -9 */
  kill(): Promise<void>;
  /** SIGSTOP and SIGCONT */
  freeze(): void;
  thaw(): void;
};
