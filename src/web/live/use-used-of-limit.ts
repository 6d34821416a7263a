import { useEffect, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { MessageId } from "../../schema/ids.ts";
import type { LimitKind, RunUsage } from "../../schema/run.ts";
import type { Session } from "../../schema/session.ts";

/** How much of the limit at which a run waits is used, in dollars or turns. Undefined until that is read, null if it is not known. */
export function useUsedOfLimit(session: Pick<Session, "costUsd">, id: MessageId | undefined, limit: LimitKind): number | null | undefined {
  const [used, setUsed] = useState<number | null>();
  const { costUsd } = session;
  useEffect(() => {
    if (id === undefined) return;
    let isWanted = true;
    readUsed(id, limit, costUsd).then(
      (read) => isWanted && setUsed(read),
      // The form can be filled in without a suggestion.
      () => isWanted && setUsed(null),
    );
    return () => {
      isWanted = false;
    };
  }, [id, limit, costUsd]);
  return id === undefined ? null : used;
}

async function readUsed(id: MessageId, limit: LimitKind, sessionUsd: number): Promise<number> {
  const { runs, spending } = createHallClient({ baseUrl: "" });
  const { usage } = await runs.get(id);
  return usedOf(limit, usage, { sessionUsd, todayUsd: limit === "day" ? (await spending.get()).today.costUsd : 0 });
}

/** Session and day count a run when it has ended, so its own cost is added. */
function usedOf(limit: LimitKind, { turns, costUsd }: RunUsage, before: { sessionUsd: number; todayUsd: number }): number {
  switch (limit) {
    case "turns":
      return turns;
    case "run":
      return costUsd;
    case "session":
      return before.sessionUsd + costUsd;
    case "day":
      return before.todayUsd + costUsd;
  }
}
