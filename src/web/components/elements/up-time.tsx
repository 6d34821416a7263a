"use client";

import { useEffect, useState } from "react";
import { exactTime } from "../../format/age.ts";
import { durationOf } from "../../format/duration.ts";

/** For how long something has been running, kept true while it is looked at. */
export function UpTime({ since }: { since: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000);
    return () => clearInterval(timer);
  }, []);
  // Server and browser may differ by some seconds: the browser is right.
  return (
    <time dateTime={since} title={exactTime(since)} suppressHydrationWarning className="tabular-nums">
      up {durationOf(Math.max(0, now - Date.parse(since)))}
    </time>
  );
}
