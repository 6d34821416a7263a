import type { RunId } from "../../schema/ids.ts";
import type { Run, RunUsage } from "../../schema/run.ts";
import type { AgentEvent } from "../agent/agent-run.ts";

/** The port to the records of runs. Writes are durable when they resolve. */
export interface RunStore {
  get(id: RunId): Run | null;
  /** Those that have not ended. */
  open(): Run[];
  childrenOf(id: RunId): Run[];
  save(run: Run): Promise<void>;
  /** Keeps what a process of the run did. Survives the death of the hall, and not a power cut. */
  log(id: RunId, attempt: number, event: AgentEvent): Promise<void>;
  /** What the calls of the run came to, as its processes said while the hall heard them: by the id of the call, as JSON. */
  results(id: RunId): Promise<ReadonlyMap<string, string>>;
  /** Of all processes of the run, those included that were killed. */
  usage(id: RunId): Promise<RunUsage>;
}

/** An effect of a call outside of its process. `started` without `done` was cut off. */
export type Effect = { callId: string; tool: string; approval: string | null; state: "started" | "done"; result: string | null };

/** The port to the journal of effects. An entry is durable before its effect begins and after it is complete. */
export interface Effects {
  of(run: RunId): Promise<Effect[]>;
  note(run: RunId, effect: Effect): Promise<void>;
  /** Writes a file exactly once per call, however often it is asked to and wherever it was killed before. */
  write(run: RunId, call: Pick<Effect, "callId" | "tool" | "approval">, file: FileToWrite): Promise<Effect>;
}

/** `path` is relative to `root`, of names that were checked. */
export type FileToWrite = { root: string; path: string; content: string; result: string };
