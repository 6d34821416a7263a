import type { HookCallback, HookJSONOutput } from "@anthropic-ai/claude-agent-sdk";
import { nameForModel } from "../../core/agent/tool-name.ts";
import { createConfinement } from "./confine.ts";
import type { Verdict } from "./confine.ts";
import { createWrappedTools, notWrapped, unwrapInput, wrapInput } from "./input-wrapping.ts";
import type { ProcessShape } from "./process-shape.ts";
import { openRun } from "./served-run.ts";
import type { Serving } from "./served-run.ts";

/**
 * Asked by the SDK before every tool call of any kind. It says yes itself where it agrees, because the permission mode
 * denies all that nobody allowed; where it throws, the call is blocked.
 */
export function createToolGuard(shape: ProcessShape, serving: Serving): HookCallback {
  const confine = createConfinement(shape.folders, shape.builtInTools, shape.backend);
  const ours = new Set(shape.toolServers.flatMap((server) => server.tools.map((tool) => nameForModel(server.name, tool.name))));
  const wrapped = createWrappedTools(shape.toolServers);

  return async (input, _toolUseId, { signal }) => {
    if (input.hook_event_name !== "PreToolUse") return {};
    const run = openRun(serving);
    if (run === null) return deny("This run has ended.");
    const { tool_name: name, tool_use_id: id, tool_input: given } = input;
    const unwrapped = wrapped.has(name) ? unwrapInput(given) : { input: given };
    if (unwrapped === null) return deny(notWrapped(name));
    const asked = unwrapped.input;
    const verdict: Verdict = ours.has(name) ? { allowed: true, input: {} } : await confine(name, asked);
    if (!verdict.allowed) return deny(verdict.reason);
    const decision = await run.gate({ id, name, input: asked }, signal);
    if (!decision.allow && decision.parks === true) run.parks();
    if (!decision.allow) return decision.parks ? park(decision.reason) : deny(decision.reason);
    if (!run.isOpen()) return deny("This run has ended.");
    const changed = decision.input;
    const again = changed === undefined || ours.has(name) ? verdict : await confine(name, changed);
    if (!again.allowed) return deny(again.reason);
    run.toolStarts(id);
    const note = decision.note === undefined ? {} : { additionalContext: decision.note };
    if (ours.has(name))
      return allow({ ...(changed === undefined ? {} : { updatedInput: wrapped.has(name) ? wrapInput(changed) : changed }), ...note });
    return allow({ updatedInput: again.input, ...note });
  };
}

const deny = (permissionDecisionReason: string): HookJSONOutput => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason },
});

/** The turn ends once the later calls of the response are done. */
const park = (reason: string): HookJSONOutput => ({ ...deny(reason), continue: false });

const allow = (more: { updatedInput?: Record<string, unknown>; additionalContext?: string }): HookJSONOutput => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", ...more },
});
