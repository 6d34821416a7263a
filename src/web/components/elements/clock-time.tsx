"use client";

import { clockTime, exactTime } from "../../format/age.ts";

/** The time of day in the reader's own zone, which only the browser knows. */
export const ClockTime = ({ at }: { at: string }) => (
  <time dateTime={at} title={exactTime(at)} suppressHydrationWarning className="text-xs font-normal text-ink-3 tabular-nums">
    {clockTime(at)}
  </time>
);
