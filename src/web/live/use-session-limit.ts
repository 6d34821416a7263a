import { useEffect, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { Session } from "../../schema/session.ts";
import { useHallNews } from "./live-provider.tsx";

/** What a session may cost: what it says itself, or what the hall says for all. Null is no limit, and what is not known yet is undefined. */
export function useSessionLimit({ limits }: Pick<Session, "limits">): number | null | undefined {
  const [forAll, setForAll] = useState<number | null>();
  const [readings, setReadings] = useState(0);
  useHallNews(({ news }) => {
    if (news === "online" && forAll === undefined) setReadings((before) => before + 1);
  });
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
  }, [isOwn, readings]);
  return limits.maxCostUsd ?? forAll;
}
