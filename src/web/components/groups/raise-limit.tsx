"use client";

import { createHallClient } from "../../../client/hall-client.ts";
import { money } from "../../../schema/money.ts";
import type { Session } from "../../../schema/session.ts";
import type { ReachedLimit } from "../../../schema/spending.ts";
import { higherLimit } from "../../format/dollars.ts";
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

const client = () => createHallClient({ baseUrl: "" });
