"use client";

import { useMemo, useState } from "react";
import type { JobEvent } from "../../../schema/job.ts";
import { counted } from "../../format/figures.ts";
import { useFollowedEnd } from "../../live/use-followed-end.ts";
import { ShowEarlier } from "../elements/show-earlier.tsx";
import { jobPassages } from "./job-passages.ts";
import { Markdown } from "./markdown.tsx";
import { OpenRowsContext } from "./open-rows.ts";
import { ToolRows } from "./tool-rows.tsx";

/** So many passages are drawn at first, and so many more at each press. */
const atOnce = 100;

type JobTranscriptProps = {
  events: readonly JobEvent[];
  /** How many that came first this page does not keep. */ dropped: number;
  isRunning: boolean;
};

/** What the worker's agent said and which tools it called, oldest first. Whoever is at its end stays there. */
export function JobTranscript({ events, dropped, isRunning }: JobTranscriptProps) {
  const passages = useMemo(() => jobPassages(events), [events]);
  const [most, setMost] = useState(atOnce);
  const [openRows] = useState(() => new Set<string>());
  const end = useFollowedEnd(events.length);
  return (
    <section aria-labelledby="transcript">
      <h2 id="transcript" className="mb-2.5">
        Transcript
      </h2>
      {passages.length === 0 ? <p className="text-ink-2">{isRunning ? "Nothing has been said yet." : "Nothing was said."}</p> : null}
      {dropped === 0 ? null : (
        <p className="mb-3 text-xs text-ink-3">
          This page keeps the newest. {counted(dropped, "entry", "entries")} before that are with the worker.
        </p>
      )}
      <ShowEarlier left={passages.length - most} onShow={() => setMost(most + atOnce)} />
      <OpenRowsContext value={openRows}>
        {passages.slice(-most).map((passage) => (
          <div key={passage.key} className="mb-3 max-w-[780px] [contain-intrinsic-height:auto_60px] [content-visibility:auto]">
            {passage.kind === "text" ? (
              <Markdown text={passage.text} />
            ) : (
              <ToolRows calls={passage.calls} isLive={isRunning && passage === passages.at(-1)} />
            )}
          </div>
        ))}
      </OpenRowsContext>
      <div ref={end} />
    </section>
  );
}
