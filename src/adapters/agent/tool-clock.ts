import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import type { AgentEvent, Gate } from "../../core/agent/agent-run.ts";
import type { ServedRun } from "./served-run.ts";
import type { Watchdog } from "./watchdog.ts";

/** Stops the clock from the moment a tool may run until its result is there. */
export function createToolClock(watchdog: Watchdog): { start(id: string): void; finish(message: SDKMessage): void } {
  const running = new Map<string, () => void>();
  return {
    start: (id) => void running.set(id, watchdog.pause()),
    finish(message) {
      if (message.type !== "user" || typeof message.message.content === "string") return;
      for (const block of message.message.content) {
        if (block.type !== "tool_result") continue;
        running.get(block.tool_use_id)?.();
        running.delete(block.tool_use_id);
      }
    },
  };
}

/** A gate that answers within this time decided by itself; after it, a person is being waited for. */
const ownDecisionMs = 100;

/** Asks the run's gate, if it has one, with the clock stopped. */
export function createGateWatch(
  gate: Gate | undefined,
  watchdog: Watchdog,
  emit: (event: AgentEvent) => void,
  { ended, waitFor, recorded }: { ended: AbortSignal } & Pick<ServedRun, "waitFor" | "recorded">,
): ServedRun["gate"] {
  return async (call, signal) => {
    if (gate === undefined) return { allow: true };
    const resume = watchdog.pause();
    const waiting = setTimeout(() => emit({ type: "waiting", for: "person" }), ownDecisionMs);
    try {
      return await gate(call, { callId: call.id, signal: AbortSignal.any([signal, ended]), waitFor, recorded: () => recorded(call.id) });
    } finally {
      clearTimeout(waiting);
      resume();
    }
  };
}
