import { z } from "zod";

/** A day where the hall stands, such as 2026-01-05. */
const Day = z.iso.date();

/** Dollars. `isEstimate` where some of it was answered by an endpoint of one's own, whose prices nobody knows, or broke off before its cost was told. */
export const DaySpending = z.object({
  day: Day,
  costUsd: z.number().nonnegative(),
  queries: z.int().nonnegative(),
  isEstimate: z.boolean(),
});
export type DaySpending = z.infer<typeof DaySpending>;

/** What a day may cost, and who says so. `today` is over at midnight, and then `always` or config.yaml counts again. */
export const DayLimit = z.object({ perDayUsd: z.number().nullable(), from: z.enum(["today", "always", "config"]) });
export type DayLimit = z.infer<typeof DayLimit>;

export const Spending = z.object({
  today: DaySpending,
  limit: DayLimit,
  /** What a session may cost that says nothing itself. */
  perSessionUsd: z.number().nullable(),
  /** The newest first, without days on which nothing was asked. */
  days: z.array(DaySpending),
});
export type Spending = z.infer<typeof Spending>;

export const SetDayLimit = z.strictObject({
  /** Null is no limit. */
  perDayUsd: z.number("must be a number of dollars, or null").positive("must be more than 0").max(1_000_000).nullable(),
  until: z.enum(["today", "always"], "must be today or always").default("today"),
});
export type SetDayLimit = z.infer<typeof SetDayLimit>;

/** The limit because of which a message is refused: that of its session, or that of the day. */
export const ReachedLimit = z.object({
  limit: z.enum(["session", "day"]),
  limitUsd: z.number().nonnegative(),
  spentUsd: z.number().nonnegative(),
});
export type ReachedLimit = z.infer<typeof ReachedLimit>;
