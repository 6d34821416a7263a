import type { GateDecision, ToolServer } from "../../core/agent/agent-run.ts";

/** What the hooks and tools of a process ask about the run it serves. */
export type ServedRun = {
  toolServers: readonly ToolServer[];
  /** False from the moment the run is to end: no tool starts after that, whatever the model still sends. */
  isOpen(): boolean;
  /** Aborted when the run has ended, so that a tool which outlives it can give up. */
  signal: AbortSignal;
  gate(call: { id: string; name: string; input: unknown }, signal: AbortSignal): Promise<GateDecision>;
  toolStarts(id: string): void;
};

/** A process and its run meet late: a warm process has none until a run takes it. */
export type Serving = { run: ServedRun | null };

export const openRun = (serving: Serving): ServedRun | null => (serving.run?.isOpen() === true ? serving.run : null);
