import type { QueryUsage, SessionUsage } from "../../schema/usage.ts";

/** A session's usage after one more query. One that began to answer and never told what that took leaves the totals as they are. */
export function withQuery(before: SessionUsage, { usage, said }: { usage?: QueryUsage | undefined; said: number }): SessionUsage {
  if (usage === undefined && said === 0) return before;
  // No query takes nothing: where one broke off, the SDK says so all the same.
  if (usage === undefined || usage.inputTokens + usage.outputTokens === 0) return { ...before, last: null };
  const { inputTokens, outputTokens, costUsd, turns } = usage;
  return {
    inputTokens: before.inputTokens + inputTokens,
    outputTokens: before.outputTokens + outputTokens,
    last: { inputTokens, outputTokens, costUsd, turns },
  };
}
