import { useEffect, useEffectEvent, useRef, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { JobList } from "../../schema/job.ts";
import { sentenceOf } from "../format/sentence-of.ts";
import { readJobGroups, withFreshJobs, withNextJobs } from "./job-groups.ts";
import type { ReadJobs } from "./job-groups.ts";
import { askedOf, jobsAddress } from "./jobs-query.ts";
import type { JobGroup, JobsQuery } from "./jobs-query.ts";
import { useHallNews, useLive } from "./live-provider.tsx";
import { useGathered } from "./use-gathered.ts";
import { useIsVisible } from "./use-is-visible.ts";

const nextPage = 200;

/** News that come together cost one reading. */
const gatherMs = 150;

/** The jobs that a query is after, group by group, kept true while they are looked at. */
export function useJobGroups(query: JobsQuery, initial: ReadJobs) {
  const of = jobsAddress(query);
  const [kept, setKept] = useState(initial);
  const [failure, setFailure] = useState<string | null>(null);
  const [readingMore, setReadingMore] = useState<JobGroup | null>(null);
  const isVisible = useIsVisible();
  const isBehind = kept.of !== of;
  // A page that is come back to is as it was left, and no "online" follows where the stream stands.
  const hasMissed = useRef(useLive().state === "online");
  // One reading after the other, so that an older answer never comes after a newer one.
  const line = useRef(Promise.resolve());
  const wanted = useRef(of);
  useEffect(() => {
    wanted.current = of;
  });

  function inTurn(work: () => Promise<ReadJobs | ((before: ReadJobs) => ReadJobs)>): Promise<void> {
    line.current = line.current.then(async () => {
      if (wanted.current !== of) return;
      try {
        const read = await work();
        // Whoever asked for another list meanwhile is on the way to it.
        if (wanted.current !== of) return;
        setKept(read);
        setFailure(null);
      } catch (error) {
        // That a hall does not answer is told at the top of the page, and everything is read when it does.
        const isAway = error instanceof HallError && error.code === "hall_unreachable";
        setFailure(isAway ? null : sentenceOf(error, "read"));
      }
    });
    return line.current;
  }

  const readAgain = useEffectEvent(() =>
    inTurn(async () => {
      const fresh = await readJobGroups(client(), query, (group) => listOf(kept, group)?.jobs.length ?? 0);
      return (before) => (before.of === of ? withFresh(before, fresh) : fresh);
    }),
  );
  useEffect(() => {
    if (isBehind || hasMissed.current) void readAgain();
    hasMissed.current = false;
  }, [isBehind, of]);

  const onChange = useGathered(() => void readAgain(), { ms: gatherMs, isWanted: isVisible });
  useHallNews((news) => {
    if (news.news === "online" || (news.news === "event" && news.event.event !== "session")) onChange();
  });

  return {
    groups: kept.groups,
    /** They are still those of an earlier query. */
    isBehind,
    failure,
    readingMore,
    readMore: async (group: JobGroup) => {
      const cursor = listOf(kept, group)?.nextCursor ?? null;
      if (cursor === null || isBehind || readingMore !== null) return;
      setReadingMore(group);
      await inTurn(async () => {
        const page = await client().list({ ...askedOf(query, group), limit: nextPage, cursor });
        return (before) => withList(before, group, (list) => (list.nextCursor === cursor ? withNextJobs(list, page) : list));
      });
      setReadingMore(null);
    },
  };
}

const listOf = ({ groups }: ReadJobs, wanted: JobGroup) => groups.find(({ group }) => group === wanted)?.list;

const withList = (read: ReadJobs, wanted: JobGroup, change: (list: JobList) => JobList): ReadJobs => ({
  ...read,
  groups: read.groups.map(({ group, list }) => ({ group, list: group === wanted ? change(list) : list })),
});

const withFresh = (before: ReadJobs, fresh: ReadJobs): ReadJobs => ({
  ...fresh,
  groups: fresh.groups.map(({ group, list }) => ({ group, list: withFreshJobs(listOf(before, group) ?? list, list) })),
});

const client = () => createHallClient({ baseUrl: "" }).jobs;
