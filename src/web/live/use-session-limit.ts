import { useEffect, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { Session } from "../../schema/session.ts";

/** What a session may cost: what it says itself, or what the hall says for all. Null is no limit. */
export function useSessionLimit({ limits }: Pick<Session, "limits">): number | null {
  const [forAll, setForAll] = useState<number | null>(null);
  const isOwn = limits.maxCostUsd !== undefined;
  useEffect(() => {
    if (isOwn) return;
    let isWanted = true;
    createHallClient({ baseUrl: "" })
      .spending.get()
      .then(
        ({ perSessionUsd }) => isWanted && setForAll(perSessionUsd),
        // Without an answer no limit is shown; the hall keeps to it all the same and says so when it is reached.
        () => undefined,
      );
    return () => {
      isWanted = false;
    };
  }, [isOwn]);
  return limits.maxCostUsd ?? forAll;
}
