import { useEffect, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { Session } from "../../schema/session.ts";
import { ReachedLimit } from "../../schema/spending.ts";
import type { Spending } from "../../schema/spending.ts";
import type { Failure } from "./use-session.ts";

/** The limit that is in the way of a session; null where none is. A refusal names it, and otherwise it is found out. */
export function useReachedLimit(session: Session, refusal: Failure | null): { reached: ReachedLimit | null; lookAgain: () => void } {
  const [spending, setSpending] = useState<Spending | null>(null);
  const [looks, setLooks] = useState(0);
  const told = refusal?.code === "budget" ? ReachedLimit.safeParse(refusal.details) : null;
  // A session that stands still because of money does not say which limit it was; what was spent does.
  const isWanted = told?.success !== true && (told !== null || session.error?.code === "budget");

  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    createHallClient({ baseUrl: "" })
      .spending.get()
      .then(
        (read) => isCurrent && setSpending(read),
        // The refusal is told all the same; the settings are the other way to raise it.
        () => undefined,
      );
    return () => {
      isCurrent = false;
    };
  }, [isWanted, looks, session.costUsd, session.limits.maxCostUsd]);

  const found = isWanted && spending !== null ? reachedIn(session, spending) : null;
  return { reached: told?.success === true ? told.data : found, lookAgain: () => setLooks((before) => before + 1) };
}

function reachedIn({ costUsd, limits }: Session, { today, limit, perSessionUsd }: Spending): ReachedLimit | null {
  const ofSession = limits.maxCostUsd ?? perSessionUsd;
  if (ofSession !== null && costUsd >= ofSession) return { limit: "session", limitUsd: ofSession, spentUsd: costUsd };
  if (limit.perDayUsd !== null && today.costUsd >= limit.perDayUsd)
    return { limit: "day", limitUsd: limit.perDayUsd, spentUsd: today.costUsd };
  return null;
}
