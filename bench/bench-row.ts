import { z } from "zod";

/** One measurement beside the thing it is compared with. */
export const BenchRow = z.strictObject({
  name: z.string(),
  ours: z.string(),
  /** Empty where there is nothing to compare with. */
  baseline: z.string(),
  /** Ours over the baseline. */
  ratio: z.number().nullable(),
  budget: z.string(),
  /** The part of the budget that is used up, 1 being all of it. Null where the answer is yes or no. */
  used: z.number().nullable(),
  holds: z.boolean(),
});
export type BenchRow = z.infer<typeof BenchRow>;
