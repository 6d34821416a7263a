import { HallError } from "../../schema/hall-error.ts";
import type { RunId } from "../../schema/ids.ts";
import { money } from "../../schema/money.ts";
import type { RunOwner } from "../../schema/run.ts";
import type { DayLimit, SetDayLimit, Spending } from "../../schema/spending.ts";
import type { RunningCost } from "./running-costs.ts";

/** What a run has cost so far. */
export type RunCost = {
  runId: RunId;
  owner: RunOwner;
  /** The process of the run, for a run that may go on over days. */
  attempt?: number;
  costUsd: number;
  isEstimate: boolean;
  /** When it ran, if that may have been on another day. */
  at?: string;
};

/** The port to "what was spent". Writes are durable when they resolve. */
export interface SpendingLedger {
  /** The cost of one run: the same again changes nothing, and a higher figure takes the place of the first. */
  record(cost: RunCost): Promise<void>;
  /** The cost of a run that was recorded today or yesterday, to put totals right after a crash. */
  costOf(runId: RunId): number | null;
  today(): SpentToday;
  spending(): Promise<Spending>;
  setLimit(limit: SetDayLimit): Promise<DayLimit>;
  /** Goes back to the limit of config.yaml. */
  clearLimit(): Promise<DayLimit>;
}

export type SpentToday = { day: string; costUsd: number; isEstimate: boolean; limit: DayLimit };

/** Why a run may neither begin nor go on today, with how to raise the limit on the spot; null if it may. */
export function dayRefusal(today: SpentToday, others: RunningCost): HallError | null {
  const { perDayUsd } = today.limit;
  const spentUsd = today.costUsd + others.costUsd;
  if (perDayUsd === null || leftOfDay(perDayUsd, today, others) > 0) return null;
  const spent = `Today's queries have cost ${today.isEstimate ? "an estimated " : ""}${money(spentUsd)}`;
  const sentence =
    spentUsd >= perDayUsd
      ? `${spent}, and the limit is ${money(perDayUsd)} a day. Raise it for today in the settings, or with \`guild-hall limit\`, and send again, or wait until tomorrow.`
      : `${spent} of ${money(perDayUsd)} a day, and those that run may use up the rest. Wait until they have ended, or raise the limit for today in the settings or with \`guild-hall limit\`, and send again.`;
  return new HallError("budget", sentence, { details: { limit: "day", limitUsd: perDayUsd, spentUsd } });
}

/** What is left of the day's limit for a run beside others. */
export const leftOfDay = (perDayUsd: number, today: SpentToday, others: RunningCost): number =>
  perDayUsd - today.costUsd - others.costUsd - others.setAsideUsd;

/** The day of a moment in the time zone of the hall: people count money by their own days. */
export function dayOf(moment: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}
