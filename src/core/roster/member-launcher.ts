import type { ToolResult } from "../agent/agent-run.ts";
import type { AskWorker, WorkerOffers } from "../worker/worker-handle.ts";
import type { MemberName } from "../../schema/ids.ts";
import type { Manifest } from "../../schema/manifest.ts";
import type { ConnectionStep } from "../../schema/roster.ts";
import type { ToolDefinition } from "../../schema/tool.ts";

/** The port to guild members as programs: starts one, connects to it over MCP, and ends it with all it started. */
export interface MemberLauncher {
  /** Never throws: whatever goes wrong is told as the life's end. Starts beyond the limit wait their turn. */
  launch(program: MemberProgram, watch: MemberWatch): MemberLife;
  /** Ends the members that a killed hall left behind, and answers how many there were. Only before the first launch. */
  endOrphans(): Promise<number>;
}

export type MemberProgram = { name: MemberName; folder: string; manifest: Manifest };

export type MemberWatch = {
  /** Each time a step changes; the last word of each step stays true. */
  onStep(step: ConnectionStep): void;
  /** The process runs, since this moment. */
  onSpawn(at: string): void;
  onStderr(text: string): void;
  /** The first time it means: connected. Then whenever the member says that they changed. `leftOut` says of each tool that cannot be used what is wrong. */
  onTools(tools: readonly ToolDefinition[], leftOut: readonly string[]): void;
  /** Exactly once, after the whole process group is gone. The reason is a sentence; null where the hall ended it. */
  onEnded(reason: string | null): void;
};

export type MemberLife = {
  /**
   * Rejects with `member_unavailable` before it is connected and after its end, `tool_timeout`, `stopped` where the signal
   * says so, and `member_failed` for everything else that is not an answer. A tool's own failure is an answer.
   */
  call(tool: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolResult>;
  /** Rejects as `call` does, and with `bad_request` where the worker says that the parameters are wrong. Only for workers. */
  askWorker: AskWorker;
  workerOffers(): WorkerOffers;
  /** Resolves when the whole process group is gone. Idempotent. */
  end(): Promise<void>;
};
