"use client";

import { useEffect, useState } from "react";
import { createHallClient } from "../../../client/hall-client.ts";
import type { Session } from "../../../schema/session.ts";
import { ReachedLimit } from "../../../schema/spending.ts";
import type { Spending } from "../../../schema/spending.ts";
import { higherLimit } from "../../format/dollars.ts";
import { money } from "../../format/figures.ts";
import { LimitForm } from "./limit-form.tsx";
import { useShell } from "./shell-context.ts";

type RaiseLimitProps = {
  session: Session;
  /** The refusal. One that does not say which limit is used up leaves that to be found out. */
  failure: { details?: Readonly<Record<string, unknown>> };
  onRaised?: () => void;
};

/** Raises the limit because of which a message was refused, where it was refused. Draws nothing where no limit is in the way. */
export function RaiseLimit({ session, failure, onRaised }: RaiseLimitProps) {
  const told = ReachedLimit.safeParse(failure.details);
  const [raised, setRaised] = useState(0);
  const found = useReachedLimit(session, !told.success, raised);
  const { say } = useShell();
  const reached = told.success ? told.data : found;
  if (reached === null) return null;

  const raise = (done: string) => {
    say(done);
    setRaised((before) => before + 1);
    onRaised?.();
  };
  const suggested = higherLimit(reached);
  if (reached.limit === "session") {
    const save = async (maxCostUsd: number) => {
      await client().sessions.change(session.id, { limits: { ...session.limits, maxCostUsd } });
      raise(`${session.name} may cost up to ${money(maxCostUsd)} now.`);
    };
    return (
      <div className={besideTalk}>
        <LimitForm
          label="New limit for this session"
          suggested={suggested}
          above={session.costUsd}
          actions={[{ says: "Raise the limit", do: save }]}
        />
      </div>
    );
  }
  const saveUntil = (until: "today" | "always") => async (perDayUsd: number) => {
    await client().spending.setLimit({ perDayUsd, until });
    raise(`${until === "today" ? "Today" : "A day"} may cost up to ${money(perDayUsd)} now.`);
  };
  return (
    <div className={besideTalk}>
      <LimitForm
        label="New limit for the day"
        suggested={suggested}
        above={reached.spentUsd}
        actions={[
          { says: "Raise it for today", do: saveUntil("today") },
          { says: "For good", do: saveUntil("always") },
        ]}
      />
    </div>
  );
}

/** In line with the notices of a conversation. */
const besideTalk = "mx-auto mb-4 max-w-[780px] rail:pl-[38px]";

/** A session that stands still because of money does not say which limit it was; what was spent does. */
function useReachedLimit(session: Session, isWanted: boolean, raised: number): ReachedLimit | null {
  const [spending, setSpending] = useState<Spending | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    client()
      .spending.get()
      .then(
        (read) => isCurrent && setSpending(read),
        // The refusal is told all the same; the settings are the other way to raise it.
        () => undefined,
      );
    return () => {
      isCurrent = false;
    };
  }, [isWanted, raised, session.costUsd, session.limits.maxCostUsd]);
  return spending === null ? null : reachedIn(session, spending);
}

function reachedIn({ costUsd, limits }: Session, { today, limit, perSessionUsd }: Spending): ReachedLimit | null {
  const ofSession = limits.maxCostUsd ?? perSessionUsd;
  if (ofSession !== null && costUsd >= ofSession) return { limit: "session", limitUsd: ofSession, spentUsd: costUsd };
  if (limit.perDayUsd !== null && today.costUsd >= limit.perDayUsd)
    return { limit: "day", limitUsd: limit.perDayUsd, spentUsd: today.costUsd };
  return null;
}

const client = () => createHallClient({ baseUrl: "" });
