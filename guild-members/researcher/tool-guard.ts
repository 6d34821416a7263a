import type { HookCallback, HookJSONOutput } from "@anthropic-ai/claude-agent-sdk";
import { confine } from "./confine.ts";
import type { FileTool, Reach, Verdict } from "./confine.ts";
import type { Variables } from "./environment.ts";
import { refuseAddress } from "./web-address.ts";
import { serverName } from "./worker-tools.ts";

/** Where calls may lead, and by which way pages are fetched. */
export type Walls = { reach: Reach; env: Variables };

type Judge = (input: Record<string, unknown>, walls: Walls) => Promise<Verdict>;

const judgeFile =
  (tool: FileTool): Judge =>
  (input, { reach }) =>
    confine(tool, input, reach);

/** The SDK's tools that the agent has, and who judges each call. A tool that is not here is neither offered nor let through. */
const judges: Readonly<Record<string, Judge>> = {
  Read: judgeFile("Read"),
  Grep: judgeFile("Grep"),
  Glob: judgeFile("Glob"),
  async WebFetch(input, { env }) {
    const reason = await refuseAddress(typeof input["url"] === "string" ? input["url"] : "", env);
    return reason === null ? { allowed: true, input } : { allowed: false, reason };
  },
  WebSearch: async (input) => ({ allowed: true, input }),
};

export const sdkTools: readonly string[] = Object.keys(judges);

/**
 * Asked before every call of a tool. The permission mode of a worker lets everything pass, so this is what keeps the agent
 * where it belongs; it must be set up so that a call is blocked when it fails.
 */
export function createToolGuard(walls: Walls, signal: AbortSignal): HookCallback {
  return async (input) => {
    if (input.hook_event_name !== "PreToolUse") return {};
    if (signal.aborted) return deny("The job was stopped.");
    const { tool_name: name } = input;
    if (name.startsWith(`mcp__${serverName}__`)) return {};
    const judge = Object.hasOwn(judges, name) ? judges[name] : undefined;
    if (judge === undefined) return deny(`${name} is no tool of this worker.`);
    const verdict = await judge(fieldsOf(input.tool_input), walls);
    return verdict.allowed ? replace(verdict.input) : deny(verdict.reason);
  };
}

const fieldsOf = (input: unknown): Record<string, unknown> => (typeof input === "object" && input !== null ? { ...input } : {});

const deny = (permissionDecisionReason: string): HookJSONOutput => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason },
});

const replace = (updatedInput: Record<string, unknown>): HookJSONOutput => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", updatedInput },
});
