import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { ToolResult } from "../../core/agent/agent-run.ts";
import { HallError } from "../../schema/hall-error.ts";
import { wordsOf } from "./end-reasons.ts";
import { requestOf } from "./member-request.ts";
import type { MemberRequest } from "./member-request.ts";
import { CallAnswer, toolResultOf } from "./tool-result.ts";

export type CallRequest = Pick<MemberRequest<typeof CallAnswer>, "member" | "stop" | "over" | "onLost"> & {
  tool: string;
  input: Readonly<Record<string, unknown>>;
  callMs: number;
};

/** Calls a tool and waits for its answer, until the time is up or nobody wants it any more. The member is told then. */
export async function callTool(client: Client, { tool, input, callMs, ...request }: CallRequest): Promise<ToolResult> {
  const { member } = request;
  const answer = await requestOf(client, {
    ...request,
    request: { method: "tools/call", params: { name: tool, arguments: input } },
    schema: CallAnswer,
    withinMs: callMs,
    words: {
      what: `the call of ${tool}`,
      unanswered: `${tool} of ${member} gave no answer`,
      late: `${tool} of ${member} gave no answer within ${callMs / 1000} s, and was cancelled. Ask for less, or raise members.callSeconds in config.yaml.`,
    },
  });
  try {
    return toolResultOf(answer);
  } catch (error) {
    throw new HallError("member_failed", `${member} failed to answer the call of ${tool}: ${wordsOf(error)}`, { cause: error });
  }
}
