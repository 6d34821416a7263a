"use client";

import { createContext, use, useState } from "react";
import type { ReactNode } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import { useLatestReading } from "./latest-reading.ts";
import { useHallNews } from "./live-provider.tsx";

const PausedContext = createContext(false);

/** Keeps up to date, for everything below, whether new runs are paused. */
export function RunsProvider({ isPaused: atFirst, children }: { isPaused: boolean; children: ReactNode }) {
  const [isPaused, setIsPaused] = useState(atFirst);
  const takeLatest = useLatestReading();
  useHallNews((news) => {
    if (news.news === "event" && news.event.event === "runs") setIsPaused(news.event.data.isPaused);
    if (news.news !== "online" || !news.hasMissed) return;
    // A hall that does not answer now is online again later.
    void takeLatest(createHallClient({ baseUrl: "" }).runs.state(), (state) => setIsPaused(state.isPaused)).catch(() => undefined);
  });
  return <PausedContext value={isPaused}>{children}</PausedContext>;
}

/** Whether new runs are paused. */
export const useIsPaused = (): boolean => use(PausedContext);
