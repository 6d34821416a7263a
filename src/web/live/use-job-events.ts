import { useEffect, useEffectEvent, useRef, useState } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import { pause } from "../../client/read-query.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { JobDetail } from "../../schema/job.ts";
import { sentenceOf } from "../format/sentence-of.ts";
import { keepNewest } from "./kept-events.ts";
import type { KeptEvents } from "./kept-events.ts";
import { useLive } from "./live-provider.tsx";
import { useIsVisible } from "./use-is-visible.ts";

/** `kept` is null until they are read for the first time. */
export type JobEventsRead = { kept: KeptEvents | null; failure: string | null };

const nothing: KeptEvents = { events: [], dropped: 0 };

/** How long after one look at what happened in a running job comes the next. */
const nextLookMs = 1000;

type Followed = Pick<JobDetail, "worker" | "jobId" | "status" | "offers"> & { isGone: boolean };

/**
 * What happened in a job, oldest first, and what happens while somebody looks. It is asked for piece by piece: a stream would
 * hold one of the few connections that a browser has. Nothing is told before all that happened earlier is read, so that
 * nothing old passes for new.
 */
export function useJobEvents({ worker, jobId, status, offers, isGone }: Followed): JobEventsRead {
  const [read, setRead] = useState<JobEventsRead>({ kept: null, failure: null });
  const isVisible = useIsVisible();
  const isOnline = useLive().state !== "offline";
  const last = useRef<number | undefined>(undefined);
  /** Read, and not yet told. */
  const gathered = useRef(nothing);
  const isRunning = status === "running";

  const readOn = useEffectEvent(async (signal: AbortSignal) => {
    for (;;) {
      const after = last.current;
      const page = await createHallClient({ baseUrl: "" }).jobs.events(worker, jobId, after === undefined ? {} : { after });
      if (signal.aborted) return;
      last.current = page.events.at(-1)?.id ?? after;
      gathered.current = keepNewest(gathered.current, page.events);
      if (!page.hasMore) break;
    }
    const { events, dropped } = gathered.current;
    gathered.current = nothing;
    // Nothing is drawn again where nothing is new.
    setRead((before) =>
      events.length === 0 && before.kept !== null && before.failure === null
        ? before
        : {
            kept: keepNewest({ events: before.kept?.events ?? [], dropped: (before.kept?.dropped ?? 0) + dropped }, events),
            failure: null,
          },
    );
  });
  useEffect(() => {
    if (!offers.events || !isVisible || !isOnline || isGone) return;
    const leaving = new AbortController();
    const follow = async () => {
      while (!leaving.signal.aborted) {
        const isOver = await readOn(leaving.signal).then(
          () => !isRunning,
          (error: unknown) => {
            if (!leaving.signal.aborted) setRead((before) => ({ ...before, failure: sentenceOf(error, "read") }));
            // A worker that has just been started cannot be asked yet; what is gone does not come back.
            return error instanceof HallError && error.code === "not_found";
          },
        );
        if (isOver) return;
        await pause(nextLookMs, leaving.signal);
      }
    };
    void follow();
    return () => leaving.abort();
  }, [offers.events, isVisible, isOnline, isRunning, isGone, worker, jobId]);
  return read;
}
