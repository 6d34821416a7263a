import type { AgentEvent } from "../../core/agent/agent-run.ts";
import { createMessageBudget, shortId } from "../../core/run/message-budget.ts";
import type { Block } from "../../schema/session.ts";

/** Keeps each response of a run, with its tool calls and their results, to what the hall can store and show. */
export function createEventBounds(emit: (event: AgentEvent) => void): (event: AgentEvent) => void {
  const budgets = new Map<string, (block: Block) => Block[]>();
  const usedIn = new Map<string, string>();

  function bound(responseId: string, block: Block): void {
    const budget = budgets.get(responseId) ?? createMessageBudget({ use: "stored", extra: 0 });
    budgets.set(responseId, budget);
    for (const kept of budget(block)) emit(kept.type === "tool_result" ? kept : { ...kept, responseId });
  }

  return (event) => {
    if (event.type === "text") return bound(event.responseId, { type: "text", text: event.text });
    if (event.type === "tool_result") return bound(usedIn.get(shortId(event.id)) ?? "", event);
    if (event.type !== "tool_use") return emit(event);
    const { responseId, ...block } = event;
    usedIn.set(shortId(event.id), responseId);
    bound(responseId, block);
  };
}
