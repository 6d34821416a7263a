"use client";

import type { Session } from "../../../schema/session.ts";
import type { ReachedLimit } from "../../../schema/spending.ts";
import { higherLimit } from "../../format/dollars.ts";
import { setDayLimit, setSessionLimit } from "../../live/set-limit.ts";
import { LimitForm } from "./limit-form.tsx";
import { useShell } from "./shell-context.ts";

type RaiseLimitProps = { session: Session; reached: ReachedLimit; onRaised: () => void };

/** Raises the limit because of which a message was refused, where it was refused. */
export function RaiseLimit({ session, reached, onRaised }: RaiseLimitProps) {
  const { say } = useShell();
  const raise = (done: string) => {
    say(done);
    onRaised();
  };
  const suggested = higherLimit(reached);
  if (reached.limit === "session") {
    const save = async (maxCostUsd: number) => raise(await setSessionLimit(session, maxCostUsd));
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
  const saveUntil = (until: "today" | "always") => async (perDayUsd: number) => raise(await setDayLimit({ perDayUsd, until }));
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
