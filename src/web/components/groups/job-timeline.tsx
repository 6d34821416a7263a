"use client";

import { useState } from "react";
import type { JobQuestion } from "../../../schema/job.ts";
import { Segment } from "../elements/segment.tsx";
import { ShowEarlier } from "../elements/show-earlier.tsx";
import { JobTimelineRow } from "./job-timeline-row.tsx";
import type { TimelineEntry } from "./job-timeline-entry.ts";

type JobTimelineProps = { entries: readonly TimelineEntry[]; asked: readonly JobQuestion[]; hasFiles: boolean };

type Kept = "all" | "question" | "decision" | "artifact";

/** So many entries are drawn at first, and so many more at each press. */
const atOnce = 200;

/** What happened in a job, newest first. What came while somebody looked is marked for a moment. */
export function JobTimeline({ entries, asked, hasFiles }: JobTimelineProps) {
  const [most, setMost] = useState(atOnce);
  const [kept, setKept] = useState<Kept>("all");
  const [seen] = useState(() => new Set(entries.map(({ id }) => id)));
  const shown = entries.filter(({ type }) => kept === "all" || type === kept).toReversed();
  const answers = new Map(asked.map(({ question, answer }) => [question, answer?.text]));
  const count = (kind: Kept) => entries.filter(({ type }) => type === kind).length;
  return (
    <section aria-labelledby="timeline">
      <div className="mb-2.5 flex flex-wrap items-center gap-2">
        <h2 id="timeline">Timeline</h2>
        <span className="text-xs text-ink-3">newest first</span>
        <span className="ml-auto max-rail:ml-0">
          <Segment
            label="Show"
            options={[
              { value: "all", label: "All" },
              { value: "question", label: "Questions", count: count("question") },
              { value: "decision", label: "Decisions", count: count("decision") },
              { value: "artifact", label: "Artifacts", count: count("artifact") },
            ]}
            value={kept}
            onChange={setKept}
          />
        </span>
      </div>
      {shown.length === 0 ? <p className="text-ink-2">Nothing of that kind has happened.</p> : null}
      <ol>
        {shown.slice(0, most).map((entry) => (
          <JobTimelineRow
            key={entry.id}
            entry={entry}
            answer={entry.type === "question" ? answers.get(entry.question) : undefined}
            hasFiles={hasFiles}
            isNew={!seen.has(entry.id)}
          />
        ))}
      </ol>
      <ShowEarlier left={shown.length - most} onShow={() => setMost(most + atOnce)} />
    </section>
  );
}
