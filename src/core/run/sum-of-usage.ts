import type { RunUsage } from "../../schema/run.ts";

export const sumOfUsage = (one: RunUsage, other: RunUsage): RunUsage => ({
  turns: one.turns + other.turns,
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  costUsd: one.costUsd + other.costUsd,
});
