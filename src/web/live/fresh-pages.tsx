"use client";

import { usePathname, useRouter } from "next/navigation";
import { useEffect, useState, useTransition } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { HallEvent } from "../../schema/hall-event.ts";
import { useHallNews, useLive } from "./live-provider.tsx";
import { setDrawing } from "./page-drawing.ts";
import { useFollowedHash } from "./use-followed-hash.ts";
import { useIsVisible } from "./use-is-visible.ts";

/** News that come together cost one reading. */
const gatherMs = 120;

/** Has the server draw the page again when something changed. A tab out of sight waits until it is looked at. */
export function FreshPages() {
  const router = useRouter();
  const isVisible = useIsVisible();
  const isOnline = useLive().state === "online";
  const path = usePathname();
  const [isStale, setIsStale] = useState(false);
  // The page of something deleted stays as it is: drawing it again would only say that it is not there.
  const [gone, setGone] = useState<string | null>(null);
  const [isDrawing, draw] = useTransition();
  useFollowedHash();

  useHallNews((news) => {
    if (news.news === "offline") return;
    if (news.news === "event" && isOfGone(path, news.event)) setGone(path);
    // The Roster and jobs are kept true by readers of their own, which read less than a page.
    if (news.news === "online" ? news.hasMissed : news.event.event === "session") setIsStale(true);
  });
  useEffect(() => setDrawing(isDrawing), [isDrawing]);
  useEffect(() => {
    if (!isVisible || !isOnline || !isStale || isDrawing || path === gone) return;
    let isWanted = true;
    const refresh = async () => {
      // Next leaves a page whose refresh fails for the browser's own error page, so it is asked for only where it will succeed.
      await createHallClient({ baseUrl: "" }).health();
      if (!isWanted) return;
      setIsStale(false);
      setDrawing(true);
      draw(() => router.refresh());
    };
    // Whoever does not answer now is heard of as offline in a moment.
    const timer = setTimeout(() => void refresh().catch(() => undefined), gatherMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [isVisible, isOnline, isStale, isDrawing, path, gone, router]);
  return null;
}

/** Whether an address is that of something which an event says was deleted, or of a part of it. */
const isOfGone = (path: string, news: HallEvent): boolean =>
  news.event !== "runs" && news.data.status === null && `${path}/`.startsWith(`${places[news.event]}/${news.data.id}/`);

const places: Record<Exclude<HallEvent["event"], "runs">, string> = { session: "/sessions", roster: "/roster", job: "/jobs" };
