import type { GateDecision, GatedCall, ToolServer } from "../../core/agent/agent-run.ts";

/** What the hooks and tools of a process ask about the run it serves. */
export type ServedRun = {
  toolServers: readonly ToolServer[];
  /** False from the moment the run is to end: no tool starts after that, whatever the model still sends. */
  isOpen(): boolean;
  /** Aborted when the run has ended, so that a tool which outlives it can give up. */
  signal: AbortSignal;
  gate(call: GatedCall, signal: AbortSignal): Promise<GateDecision>;
  recorded(callId: string): Promise<void>;
  /** Called when a tool or the gate parks the run, before the SDK learns of it. */
  parks(): void;
  toolStarts(id: string): void;
};

/** A process and its run meet late: a warm process has none until a run takes it. */
export type Serving = { run: ServedRun | null };

export const openRun = (serving: Serving): ServedRun | null => (serving.run?.isOpen() === true ? serving.run : null);
