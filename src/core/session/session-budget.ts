import { HallError } from "../../schema/hall-error.ts";
import { money } from "../../schema/money.ts";
import type { Session } from "../../schema/session.ts";
import type { RunningCost } from "../run/running-costs.ts";
import { dayRefusal, leftOfDay } from "../run/spending.ts";
import type { SpentToday } from "../run/spending.ts";

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
  return dayRefusal(today, others);
}

/** What the next query may cost at most: the nearest of its own limits and what is left of the day's. Null is no limit. */
export function budgetOf({ session, today, others, perSessionUsd }: Question, perQueryUsd: number | null): number | null {
  const { perDayUsd } = today.limit;
  return nearest([mayCost({ session, perSessionUsd }, perQueryUsd), perDayUsd === null ? null : leftOfDay(perDayUsd, today, others)]);
}

/** The same by those limits alone that a query shares with no other. */
export function mayCost(
  { session, perSessionUsd }: Pick<Question, "session" | "perSessionUsd">,
  perQueryUsd: number | null,
): number | null {
  const ofSession = session.limits.maxCostUsd ?? perSessionUsd;
  return nearest([session.limits.maxBudgetUsd ?? perQueryUsd, ofSession === null ? null : ofSession - session.costUsd]);
}

function nearest(limits: readonly (number | null)[]): number | null {
  const known = limits.filter((each) => each !== null);
  return known.length === 0 ? null : Math.max(0, Math.min(...known));
}
