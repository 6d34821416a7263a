"use client";

import { useEffect, useState } from "react";
import { ageOf, exactTime } from "../../format/age.ts";

/** How long ago something was, kept true while it is looked at; the exact time is in the title. */
export function Age({ at, className = "" }: { at: string; className?: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  // Server and browser may differ by a minute, or by a time zone: the browser is right.
  return (
    <time dateTime={at} title={exactTime(at)} suppressHydrationWarning className={`tabular-nums ${className}`}>
      {ageOf(at, now)}
    </time>
  );
}
