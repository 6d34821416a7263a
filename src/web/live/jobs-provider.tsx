"use client";

import { createContext, use, useState } from "react";
import type { ReactNode } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { JobList } from "../../schema/job.ts";
import { isWorker } from "../../schema/manifest.ts";
import { useLatestReading } from "./latest-reading.ts";
import { useHallNews } from "./live-provider.tsx";
import { useRoster } from "./roster-provider.tsx";
import { useGathered } from "./use-gathered.ts";
import { useIsVisible } from "./use-is-visible.ts";

type JobCounts = JobList["counts"];

const JobsContext = createContext<JobCounts | null>(null);

/** News that come together cost one reading. */
const gatherMs = 250;

/** Keeps the figures of the navigation true. They are read after the page is drawn: no page waits for a worker. */
export function JobsProvider({ children }: { children: ReactNode }) {
  const [counts, setCounts] = useState<JobCounts | null>(null);
  const isVisible = useIsVisible();
  const hasWorkers = useRoster().some(isWorker);
  const takeLatest = useLatestReading();

  const read = () => takeLatest(createHallClient({ baseUrl: "" }).jobs.list({ limit: 1 }), (list) => setCounts(list.counts));
  // A hall that does not answer now is heard of as offline, and the figures are read again when it is back.
  const onChange = useGathered(() => void read().catch(() => undefined), { ms: gatherMs, isWanted: isVisible && hasWorkers });
  useHallNews((news) => {
    if (news.news === "online" || (news.news === "event" && news.event.event !== "session")) onChange();
  });

  return <JobsContext value={hasWorkers ? counts : null}>{children}</JobsContext>;
}

/** How many jobs run and how many questions wait for the reader; null until that is known. */
export const useJobCounts = (): JobCounts | null => use(JobsContext);
