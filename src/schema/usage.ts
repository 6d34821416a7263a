import { z } from "zod";

/** What one query took, as the model told it. */
export const QueryUsage = z.object({ inputTokens: z.number(), outputTokens: z.number(), costUsd: z.number(), turns: z.number() });
export type QueryUsage = z.infer<typeof QueryUsage>;

/** The tokens of all queries of a session, and what the last one took; null where that is not known, because it broke off for instance. */
export const SessionUsage = z.object({
  inputTokens: z.number().nonnegative(),
  outputTokens: z.number().nonnegative(),
  last: QueryUsage.nullable(),
});
export type SessionUsage = z.infer<typeof SessionUsage>;

export const nothingUsed: SessionUsage = { inputTokens: 0, outputTokens: 0, last: null };
