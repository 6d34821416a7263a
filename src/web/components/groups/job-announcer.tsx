"use client";

import { useState } from "react";
import { visibleText } from "../../format/visible-text.ts";
import { sentenceOfEntry } from "./job-timeline-entry.ts";
import type { TimelineEntry } from "./job-timeline-entry.ts";

/** Older sentences have been heard. */
const mostKept = 8;
const mostRead = 200;

/** Tells screen readers what happens in a job, a sentence for each step; what was there before is on the page. */
export function JobAnnouncer({ entries }: { entries: readonly TimelineEntry[] }) {
  const [before] = useState(() => new Set(entries.map(({ id }) => id)));
  const fresh = entries.filter(({ id }) => !before.has(id)).slice(-mostKept);
  return (
    <div role="status" aria-atomic="false" className="sr-only">
      {fresh.map((entry) => (
        <p key={entry.id}>{visibleText(sentenceOfEntry(entry)).slice(0, mostRead)}</p>
      ))}
    </div>
  );
}
