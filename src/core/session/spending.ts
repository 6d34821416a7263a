import { HallError } from "../../schema/hall-error.ts";
import type { MessageId, SessionId } from "../../schema/ids.ts";
import { money } from "../../schema/money.ts";
import type { Session } from "../../schema/session.ts";
import type { DayLimit, SetDayLimit, Spending } from "../../schema/spending.ts";
import type { RunningCost } from "./running-costs.ts";

/** What a query has cost so far. */
export type QueryCost = {
  messageId: MessageId;
  sessionId: SessionId;
  costUsd: number;
  isEstimate: boolean;
  /** When it ran, where that may have been on another day. */
  at?: string;
};

/** The port to "what was spent". Whatever resolves is durable. */
export interface SpendingLedger {
  /** The cost of one query, by its message: the same again changes nothing, and a higher figure takes the place of the first. */
  record(cost: QueryCost): Promise<void>;
  /** What is known of a query that was recorded today or yesterday, for whoever has to put a session's total right after a crash. */
  costOf(messageId: MessageId): number | null;
  today(): SpentToday;
  spending(): Promise<Spending>;
  setLimit(limit: SetDayLimit): Promise<DayLimit>;
  /** Goes back to what config.yaml says. */
  clearLimit(): Promise<DayLimit>;
}

export type SpentToday = { day: string; costUsd: number; isEstimate: boolean; limit: DayLimit };

type Question = {
  session: Pick<Session, "name" | "costUsd" | "limits">;
  today: SpentToday;
  /** Of the queries beside the one in question. */
  others: RunningCost;
  /** What a session may cost that says nothing itself; null is no limit. */
  perSessionUsd: number | null;
};

/** Why a query may neither begin nor go on in this session now, with how to raise the limit on the spot; null where it may. */
export function refusal({ session, today, others, perSessionUsd }: Question): HallError | null {
  const ofSession = session.limits.maxCostUsd ?? perSessionUsd;
  if (ofSession !== null && session.costUsd >= ofSession) {
    return new HallError(
      "budget",
      `Session "${session.name}" has cost ${money(session.costUsd)}, and its limit is ${money(ofSession)}. Raise the limit in the session's settings, or with \`guild-hall session limit\`, and send again.`,
      { details: { limit: "session", limitUsd: ofSession, spentUsd: session.costUsd } },
    );
  }
  const { perDayUsd } = today.limit;
  const spentUsd = today.costUsd + others.costUsd;
  if (perDayUsd === null || leftOf(perDayUsd, today, others) > 0) return null;
  const spent = `Today's queries have cost ${today.isEstimate ? "an estimated " : ""}${money(spentUsd)}`;
  const sentence =
    spentUsd >= perDayUsd
      ? `${spent}, and the limit is ${money(perDayUsd)} a day. Raise it for today in the settings, or with \`guild-hall limit\`, and send again, or wait until tomorrow.`
      : `${spent} of ${money(perDayUsd)} a day, and those that run may use up the rest. Wait until they have ended, or raise the limit for today in the settings or with \`guild-hall limit\`, and send again.`;
  return new HallError("budget", sentence, { details: { limit: "day", limitUsd: perDayUsd, spentUsd } });
}

/** Why a query ended that may go on with another message: only its own limit was in the way. */
export function endOfQuery(costUsd: number, perQueryUsd: number | null): HallError {
  const limit = perQueryUsd === null ? "" : `, and the limit for one message is ${money(perQueryUsd)}`;
  return new HallError(
    "budget",
    `The answer has cost ${money(costUsd)}${limit}. Send another message to go on, or raise the limit with \`guild-hall session limit --per-message\`.`,
  );
}

/** What the next query may cost at most: the nearest of its own limits and what is left of the day's. Null is no limit. */
export function budgetOf({ session, today, others, perSessionUsd }: Question, perQueryUsd: number | null): number | null {
  const { perDayUsd } = today.limit;
  return nearest([mayCost({ session, perSessionUsd }, perQueryUsd), perDayUsd === null ? null : leftOf(perDayUsd, today, others)]);
}

/** The same by those limits alone that a query shares with no other. */
export function mayCost(
  { session, perSessionUsd }: Pick<Question, "session" | "perSessionUsd">,
  perQueryUsd: number | null,
): number | null {
  const ofSession = session.limits.maxCostUsd ?? perSessionUsd;
  return nearest([session.limits.maxBudgetUsd ?? perQueryUsd, ofSession === null ? null : ofSession - session.costUsd]);
}

const leftOf = (perDayUsd: number, today: SpentToday, others: RunningCost): number =>
  perDayUsd - today.costUsd - others.costUsd - others.setAsideUsd;

function nearest(limits: readonly (number | null)[]): number | null {
  const known = limits.filter((each) => each !== null);
  return known.length === 0 ? null : Math.max(0, Math.min(...known));
}

/** The day a moment belongs to, where the hall stands: people count money by their own days. */
export function dayOf(moment: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}
