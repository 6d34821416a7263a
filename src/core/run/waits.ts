import type { WaitingFor } from "../../schema/run.ts";
import type { AgentRun, Tool, WaitFor } from "../agent/agent-run.ts";
import type { Slot } from "./slots.ts";

export type WaitsShown = {
  /** Called when the run begins to wait, and again when it goes on waiting for something else. */
  onWaiting(what: WaitingFor): void;
  onResumed(): void;
  now: () => string;
};

/**
 * Lets the tools and the gate of a run wait without its slot. If several calls wait at once, the last that settles takes
 * the slot again, before its result reaches the model. Calls that outlive their process, which `gone` tells, touch neither
 * the slot nor what is shown.
 */
export function withWaits<Run extends Pick<AgentRun, "toolServers" | "gate" | "signal">>(
  run: Run,
  slot: Slot,
  shown: WaitsShown,
  gone: AbortSignal,
): Run {
  const waiting = new Map<symbol, WaitingFor>();
  let isParking = false;
  let hasGivenSlot = false;

  const waitFor: WaitFor = async (what, work) => {
    if (gone.aborted) return work();
    const key = Symbol(what.kind);
    waiting.set(key, what);
    slot.give();
    hasGivenSlot = true;
    shown.onWaiting(what);
    try {
      return await work();
    } finally {
      waiting.delete(key);
      const [other] = waiting.values();
      if (other !== undefined && !gone.aborted) shown.onWaiting(other);
    }
  };

  async function settle({ parks }: { parks?: true }): Promise<void> {
    if (parks === true) isParking = true;
    if (waiting.size > 0 || isParking || !hasGivenSlot || gone.aborted) return;
    await slot.take(AbortSignal.any([run.signal, gone]), () => shown.onWaiting({ kind: "slot", since: shown.now() }));
    if (gone.aborted) return;
    // Another call may have begun to wait while this one waited for its slot.
    if (waiting.size > 0) return slot.give();
    hasGivenSlot = false;
    shown.onResumed();
  }

  const waitingTool = (tool: Tool): Tool => ({
    ...tool,
    async call(input, context) {
      try {
        const result = await tool.call(input, { ...context, waitFor });
        await settle(result.isError === true ? {} : result);
        return result;
      } catch (error) {
        await settle({});
        throw error;
      }
    },
  });

  const { gate } = run;
  return {
    ...run,
    toolServers: run.toolServers.map((server) => ({ ...server, tools: server.tools.map(waitingTool) })),
    ...(gate === undefined
      ? {}
      : {
          gate: async (call, context) => {
            try {
              const decision = await gate(call, { ...context, waitFor });
              await settle(decision.allow ? {} : decision);
              return decision;
            } catch (error) {
              await settle({});
              throw error;
            }
          },
        }),
  };
}
