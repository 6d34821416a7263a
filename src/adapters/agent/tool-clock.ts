import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import type { Gate } from "../../core/agent/agent-run.ts";
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

/** Asks the run's gate, if it has one, with the clock stopped. */
export function createGateWatch(
  gate: Gate | undefined,
  watchdog: Watchdog,
  { ended, recorded }: { ended: AbortSignal } & Pick<ServedRun, "recorded">,
): ServedRun["gate"] {
  return async (call, signal) => {
    if (gate === undefined) return { allow: true };
    const resume = watchdog.pause();
    try {
      return await gate(call, {
        callId: call.id,
        signal: AbortSignal.any([signal, ended]),
        waitFor: (_what, work) => work(),
        recorded: () => recorded(call.id),
      });
    } finally {
      resume();
    }
  };
}
