import type { BuiltInTool } from "../../schema/agent-profile.ts";
import type { ErrorCode } from "../../schema/error-code.ts";
import type { SdkSessionId } from "../../schema/ids.ts";
import type { WaitingFor } from "../../schema/run.ts";
import type { ToolContent } from "../../schema/tool.ts";

/** The port to "a model that works with tools". One run in, events out; the last event is always `ended`, exactly once. */
export interface AgentRunner {
  run(run: AgentRun): AsyncIterable<AgentEvent>;
  /**
   * Starts a process for a run that is likely to come, without a model call. `run` with an equal `warmKey` takes it.
   * Dropping is idempotent, and a warm process that nobody takes is dropped by itself.
   */
  warm(run: Omit<AgentRun, "prompt" | "signal">, warmKey: string): Promise<void>;
  dropWarm(warmKey: string): Promise<void>;
  /** What the SDK has kept of a conversation. A process that was killed may have kept nothing of its last moments. */
  transcript(run: Pick<AgentRun, "conversation" | "folders">): Promise<Transcript>;
  /** Ends every process and refuses new runs. Answers how many runs it interrupted. */
  close(): Promise<{ interrupted: number }>;
}

export type Transcript = {
  /** The ids of the prompts that were sent. */
  prompts: ReadonlySet<string>;
  /** Without results: a process whose hall dies may write down a false one before it dies too. */
  calls: readonly { id: string; name: string; input: unknown }[];
  /** What the last response said if it ended its turn. */
  ending: string | null;
  /** The last preface, null if the conversation was compacted since. */
  preface: string | null;
};

export type AgentRun = {
  prompt: string;
  /** The UUID under which the transcript keeps the prompt. */
  promptId?: string;
  /** Text that the model reads before the prompt, in the same message. It stays in the conversation. */
  preface?: string;
  /**
   * The run goes on in a later life of the hall, with the system prompt it began with. A hall that closes kills its process
   * in mid-turn: an interruption would be written down as the end of the turn. Needs a `promptId`.
   */
  isResumable?: true;
  systemPrompt: string;
  /** Undefined lets the backend choose. */
  model?: string;
  builtInTools: readonly BuiltInTool[];
  toolServers: readonly ToolServer[];
  /** Absolute paths. `cwd` must exist. The tools that read reach `read` and `write`; those that write reach `write` only. */
  folders: { cwd: string; read: readonly string[]; write: readonly string[] };
  limits: { maxTurns: number; maxBudgetUsd?: number };
  /**
   * Null keeps nothing: the conversation cannot be resumed. `resume` says that a response of it was completed, so that it
   * must be there; without it the conversation is continued if anything of it was kept, and begun if not, which is
   * right for one whose first response broke off.
   */
  conversation: { id: SdkSessionId; resume: boolean } | null;
  signal: AbortSignal;
  /** Asked before each tool call that passed confinement. No clock runs while it decides. */
  gate?: Gate;
  /** Where a warm process for this run may be waiting. */
  warmKey?: string;
};

/** Tools that run in our own process, offered to the model as `mcp__<name>__<tool>`. */
export type ToolServer = {
  name: string;
  tools: readonly Tool[];
  /** The guild member that brings the tools, if one does. Errors name it. */
  member?: string;
};

export type Tool = {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: Readonly<Record<string, unknown>>;
  /** True lets calls of one model response run side by side. */
  readOnly?: boolean;
  call(input: unknown, context: ToolContext): Promise<ToolResult>;
};

export type ToolContext = {
  signal: AbortSignal;
  /** The id of the model's call. */
  callId: string;
  waitFor: WaitFor;
  /** Resolves when the transcript holds the call, so that what it did can be told after a crash. Call it before an effect. */
  recorded(): Promise<void>;
};

/**
 * Waits for something that is not the model. `core/run` gives the slot of the run back until `work` settles; the runner
 * itself holds none, and stops the clocks of a run during each call.
 */
export type WaitFor = <Result>(what: WaitingFor, work: () => Promise<Result>) => Promise<Result>;

export type ToolResult = {
  content: readonly ToolContent[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  /** Ends the turn as parked once the other calls of the same response are done. Ignored for an error. */
  parks?: true;
};

export type GatedCall = { id: string; name: string; input: unknown };
export type Gate = (call: GatedCall, context: ToolContext) => Promise<GateDecision>;
/** `input` runs in place of what the model asked for, if confinement lets it; `note` tells the model. */
export type GateDecision = { allow: true; input?: Record<string, unknown>; note?: string } | { allow: false; reason: string; parks?: true };

/**
 * Text comes in pieces; those of one `responseId` joined are what the model said in that response. A response that breaks
 * off may be asked for again, as another response: the first stays as far as it came, and `broken_off` names it.
 */
export type AgentEvent =
  | { type: "started"; model: string; tools: readonly string[] }
  | { type: "text"; responseId: string; text: string }
  | { type: "broken_off"; responseId: string }
  | { type: "tool_use"; responseId: string; id: string; name: string; input: unknown }
  | { type: "tool_result"; id: string; content: unknown; isError: boolean }
  | { type: "retry"; attempt: number; inMs: number; reason: string }
  /** What the run has used by now, as estimated while it runs; at its end, where it comes to one, in the SDK's own figures. */
  | { type: "usage"; inputTokens: number; outputTokens: number; costUsd: number; turns: number; isEstimate?: true }
  | { type: "ended"; ending: AgentEnding };

export type AgentEnding =
  | { outcome: "completed"; text: string }
  /** A tool or the gate ended the turn because it waits; the conversation goes on with another prompt. */
  | { outcome: "parked" }
  | { outcome: "failed"; code: EndingCode; message: string; resetsAt?: string };

export type EndingCode = Extract<
  ErrorCode,
  | "model_auth"
  | "model_rate_limited"
  | "model_overloaded"
  | "model_unreachable"
  | "model_bad_request"
  | "model_stalled"
  | "tool_missing"
  | "max_turns"
  | "budget"
  | "session_expired"
  | "stopped"
  | "interrupted"
  | "internal"
>;
