import { z } from "zod";

const count = z.number().catch(0);

const ModelUsage = z.looseObject({
  inputTokens: count,
  outputTokens: count,
  cacheReadInputTokens: count,
  cacheCreationInputTokens: count,
  costUSD: count,
});

/** The message that ends a run, as far as we read it. Parsed because the SDK's own types leave some of these fields out. */
export const SdkResult = z.looseObject({
  subtype: z.string(),
  is_error: z.boolean(),
  result: z.string().optional(),
  errors: z.array(z.string()).optional(),
  num_turns: count,
  terminal_reason: z.string().optional(),
  api_error_status: z.number().nullish(),
  api_error: z.string().optional(),
  startup_failure_reason: z.string().optional(),
  // Unlike the totals beside it, it does not go on from what a resumed conversation had spent before.
  model_usage_since_last_result: z.record(z.string(), ModelUsage).optional(),
});
export type SdkResult = z.infer<typeof SdkResult>;

export function usageOf(result: SdkResult): { inputTokens: number; outputTokens: number; costUsd: number; turns: number } {
  const used = Object.values(result.model_usage_since_last_result ?? {});
  const sum = (read: (one: z.infer<typeof ModelUsage>) => number) => used.reduce((total, one) => total + read(one), 0);
  return {
    inputTokens: sum((one) => one.inputTokens + one.cacheReadInputTokens + one.cacheCreationInputTokens),
    outputTokens: sum((one) => one.outputTokens),
    costUsd: sum((one) => one.costUSD),
    turns: result.num_turns,
  };
}
