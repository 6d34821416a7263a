import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { ToolResult } from "../../core/agent/agent-run.ts";
import { HallError } from "../../schema/hall-error.ts";
import { ask } from "./member-client.ts";
import { CallAnswer, toolResultOf } from "./tool-result.ts";

export type CallRequest = { member: string; tool: string; input: Readonly<Record<string, unknown>>; signal: AbortSignal; callMs: number };

/** Calls a tool and waits for its answer, until the time is up or the signal says that nobody wants it any more. The member is told. */
export async function callTool(client: Client, { member, tool, input, signal, callMs }: CallRequest): Promise<ToolResult> {
  // The SDK never lets go of a signal it was given, so each call has one of its own.
  const given = new AbortController();
  const stop = () => given.abort(new HallError("stopped", `The call of ${tool} of ${member} was stopped.`));
  const clock = setTimeout(() => given.abort(tooLate(member, tool, callMs)), callMs);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const params = { name: tool, arguments: input };
    return toolResultOf(await ask(client, { method: "tools/call", params }, CallAnswer, given.signal));
  } catch (error) {
    if (given.signal.aborted) throw given.signal.reason;
    throw new HallError("member_failed", `${member} did not answer the call of ${tool}: ${wordsOf(error)}`, { cause: error });
  } finally {
    clearTimeout(clock);
    signal.removeEventListener("abort", stop);
  }
}

const tooLate = (member: string, tool: string, callMs: number): HallError =>
  new HallError(
    "tool_timeout",
    `${tool} of ${member} gave no answer within ${callMs / 1000} s, and was cancelled. Ask for less, or raise members.callSeconds in config.yaml.`,
  );

/** The SDK puts a number before what the member said. */
const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).replace(/^MCP error -?\d+: /, "");
