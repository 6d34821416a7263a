import type { JobRunId } from "../../schema/ids.ts";
import type { JobRun, RunUsage, WaitingFor } from "../../schema/run.ts";
import type { AgentEvent } from "../agent/agent-run.ts";
import type { NearLimit } from "./near-limits.ts";

/** The port to the records of jobs' runs. Writes are durable when they resolve. */
export interface RunStore {
  get(id: JobRunId): JobRun | null;
  /** Those that have not ended, oldest first. */
  open(): JobRun[];
  childrenOf(id: JobRunId): JobRun[];
  /** A new record that cannot be written leaves nothing. The write of a changed one may fail and have taken effect. */
  save(run: JobRun): Promise<void>;
  /** Keeps what a process of the run did. Survives the death of the hall, and not a power cut. */
  log(id: JobRunId, attempt: number, event: JobRunEvent): Promise<void>;
  /** Reads what was logged, from the beginning on. */
  reader(id: JobRunId): JobRunReader;
  /** What the calls of the run came to, as its processes said while the hall heard them: by the id of the call, as JSON. */
  results(id: JobRunId): Promise<ReadonlyMap<string, string>>;
  /** What the run said in its last response. */
  lastText(id: JobRunId): Promise<string>;
  /** Of all processes of the run, those included that were killed. */
  usage(id: JobRunId): Promise<RunUsage>;
  /** What each of its processes has cost, with the moment of its last figure. */
  costs(id: JobRunId): Promise<{ attempt: number; at: string; costUsd: number }[]>;
}

/** What happens in a run: the events of its processes, and between and beside them what it waits for. */
export type JobRunEvent = AgentEvent | WaitEvent | ({ type: "near_limit" } & NearLimit);
export type WaitEvent = { type: "waiting"; waitingFor: WaitingFor } | { type: "resumed" };

/** Returns the events that were logged since it was asked last. Each has its place in the log, counted from 0. */
export type JobRunReader = () => Promise<{ at: number; event: JobRunEvent }[]>;

/** An effect of a call outside of its process. `started` without `done` was cut off. */
export type Effect = { callId: string; tool: string; approval: string | null; state: "started" | "done"; result: string | null };

/** The port to the journal of effects. An entry is durable before its effect begins and after it is complete. */
export interface Effects {
  of(run: JobRunId): Promise<Effect[]>;
  note(run: JobRunId, effect: Effect): Promise<void>;
  /** Writes a file exactly once per call, however often it is asked to and wherever it was killed before. */
  write(run: JobRunId, call: Pick<Effect, "callId" | "tool" | "approval">, file: FileToWrite): Promise<Effect>;
}

/** `path` is relative to `root`, of names that were checked. */
export type FileToWrite = { root: string; path: string; content: string; result: string };
