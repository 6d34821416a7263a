import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { ToolResult } from "../../core/agent/agent-run.ts";
import { HallError } from "../../schema/hall-error.ts";
import { reasons, wordsOf } from "./end-reasons.ts";
import { letExitSpeak } from "./let-exit-speak.ts";
import { ask } from "./member-client.ts";
import { CallAnswer, toolResultOf } from "./tool-result.ts";

export type CallRequest = {
  member: string;
  tool: string;
  input: Readonly<Record<string, unknown>>;
  /** Aborted when nobody wants the answer any more. */
  stop: AbortSignal;
  callMs: number;
  /** Aborted when the member's life is over, with the reason as an error. */
  over: AbortSignal;
  onLost(reason: string): void;
};

/** Calls a tool and waits for its answer, until the time is up or nobody wants it any more. The member is told then. */
export async function callTool(client: Client, request: CallRequest): Promise<ToolResult> {
  const { tool, input, stop, callMs } = request;
  // The SDK never lets go of a signal it was given, so each call has one of its own.
  const given = new AbortController();
  const giveUp = () => given.abort(stopped(request));
  const clock = setTimeout(() => given.abort(late(request)), callMs);
  if (stop.aborted) giveUp();
  stop.addEventListener("abort", giveUp, { once: true });
  try {
    const answer = await ask(client, { method: "tools/call", params: { name: tool, arguments: input } }, CallAnswer, given.signal);
    return toolResultOf(answer);
  } catch (error) {
    if (given.signal.aborted) throw given.signal.reason;
    throw await failureOf(error, request);
  } finally {
    clearTimeout(clock);
    stop.removeEventListener("abort", giveUp);
  }
}

const stopped = ({ member, tool }: CallRequest): HallError => new HallError("stopped", `The call of ${tool} of ${member} was stopped.`);

const late = ({ member, tool, callMs }: CallRequest): HallError =>
  new HallError(
    "tool_timeout",
    `${tool} of ${member} gave no answer within ${callMs / 1000} s, and was cancelled. Ask for less, or raise members.callSeconds in config.yaml.`,
  );

async function failureOf(error: unknown, { member, tool, over, onLost }: CallRequest): Promise<HallError> {
  if (error instanceof StreamableHTTPError && error.code === 404) onLost(reasons.forgotten(member));
  if (isLost(error)) await letExitSpeak(over);
  if (over.aborted) return failed(`${tool} of ${member} gave no answer: ${wordsOf(over.reason)}`, error);
  return failed(`${member} failed to answer the call of ${tool}: ${wordsOf(error)}`, error);
}

/** Whether the connection broke, rather than something coming through it. Errors of the system have names for codes. */
const isLost = (error: unknown): boolean =>
  error instanceof McpError
    ? error.code === Number(ErrorCode.ConnectionClosed)
    : error instanceof Error && "code" in error && typeof error.code === "string";

const failed = (message: string, cause: unknown): HallError => new HallError("member_failed", message, { cause });
