import type { HookCallback, HookJSONOutput } from "@anthropic-ai/claude-agent-sdk";
import { confine, fileTools } from "./confine.ts";
import type { Reach } from "./confine.ts";
import { refuseAddress } from "./web-address.ts";
import { serverName } from "./worker-tools.ts";

/**
 * Asked before every call of a tool. The permission mode of a worker lets everything pass, so this is what keeps the agent
 * where it belongs; it must be set up so that a call is blocked when it fails.
 */
export function createToolGuard(reach: Reach, signal: AbortSignal): HookCallback {
  return async (input) => {
    if (input.hook_event_name !== "PreToolUse") return {};
    if (signal.aborted) return deny("The job was stopped.");
    const { tool_name: name } = input;
    if (name === "WebSearch" || name.startsWith(`mcp__${serverName}__`)) return {};
    const given = fieldsOf(input.tool_input);
    if (name === "WebFetch") {
      const reason = await refuseAddress(typeof given["url"] === "string" ? given["url"] : "");
      return reason === null ? {} : deny(reason);
    }
    const known = fileTools.find((each) => each === name);
    if (known === undefined) return deny(`${name} is no tool of this worker.`);
    const verdict = await confine(known, given, reach);
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
