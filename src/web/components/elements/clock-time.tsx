"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { exactTime, momentOf } from "../../format/age.ts";

/** The time of day, with the day where that is not today, in the reader's own zone, which only the browser knows. */
export function ClockTime({ at }: { at: string }) {
  const isInBrowser = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    // A page that is left open sees the next day.
    const timer = setInterval(() => setNow((before) => (isSameDay(before, Date.now()) ? before : Date.now())), 30_000);
    return () => clearInterval(timer);
  }, []);
  // React leaves the server's words as they are where it is told that they may differ. The key has them written anew.
  return (
    <time
      key={isInBrowser ? "browser" : "server"}
      dateTime={at}
      title={exactTime(at)}
      suppressHydrationWarning
      className="text-xs font-normal text-ink-3 tabular-nums"
    >
      {momentOf(at, now)}
    </time>
  );
}

const isSameDay = (one: number, other: number): boolean => new Date(one).toDateString() === new Date(other).toDateString();
