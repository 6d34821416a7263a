"use client";

import { useMemo, useState } from "react";
import type { JobDetail } from "../../../schema/job.ts";
import type { JobEventsRead } from "../../live/use-job-events.ts";
import { useJobPart } from "../../live/use-job-part.ts";
import type { JobPart } from "../../live/use-job-part.ts";
import { Skeleton } from "../elements/skeleton.tsx";
import { JobAnnouncer } from "./job-announcer.tsx";
import { JobResult } from "./job-result.tsx";
import type { JobResultProps } from "./job-result.tsx";
import { JobTabs } from "./job-tabs.tsx";
import type { JobTab } from "./job-tabs.tsx";
import { JobTask } from "./job-task.tsx";
import { JobTimeline } from "./job-timeline.tsx";
import { entriesOf, entriesOfStatus } from "./job-timeline-entry.ts";
import { JobTranscript } from "./job-transcript.tsx";

type JobPartsProps = JobResultProps & { read: JobEventsRead };

/** What there is to read of a job. One that is done shows what it came to, any other what happens in it. */
export function JobParts({ read: { kept, failure }, ...ofResult }: JobPartsProps) {
  const { job } = ofResult;
  // As it was when somebody came: what they read does not go away because the job ends.
  const [first] = useState<JobPart>(job.status === "completed" ? "result" : "timeline");
  const [part, choose] = useJobPart(first);
  const hasEvents = job.offers.events;
  const entries = useMemo(
    () => (hasEvents ? (kept === null ? null : entriesOf(kept.events)) : entriesOfStatus(job)),
    [hasEvents, kept, job],
  );
  const shown: JobPart = part === "transcript" && !hasEvents ? "timeline" : part;
  return (
    <>
      <JobTabs tabs={tabsOf(job, entries?.length)} part={shown} onChoose={choose}>
        {shown === "result" ? <JobResult {...ofResult} /> : null}
        {shown === "task" ? <JobTask job={job} /> : null}
        {shown !== "timeline" && shown !== "transcript" ? null : entries === null ? (
          <Skeleton width="60%" />
        ) : shown === "timeline" ? (
          <JobTimeline entries={entries} asked={job.asked} hasFiles={job.offers.artifacts} />
        ) : (
          <JobTranscript events={kept?.events ?? []} dropped={kept?.dropped ?? 0} isRunning={job.status === "running"} />
        )}
      </JobTabs>
      {hasEvents ? null : (
        <p className="mt-4 text-xs text-ink-3">This worker keeps no timeline and no transcript. This is what it says of the job now.</p>
      )}
      {failure === null ? null : (
        <p role="alert" className="mt-3 text-xs text-err">
          What happened in the job could not be read. {failure}
        </p>
      )}
      {entries === null ? null : <JobAnnouncer entries={entries} />}
    </>
  );
}

const tabsOf = (job: JobDetail, entries: number | undefined): JobTab<JobPart>[] => [
  ...(job.status === "completed" ? [resultTab(job)] : []),
  { part: "timeline", label: "Timeline", ...(entries === undefined ? {} : { aside: entries }) },
  ...(job.offers.events ? [{ part: "transcript" as const, label: "Transcript" }] : []),
  ...(job.status === "completed" ? [] : [resultTab(job)]),
  { part: "task", label: "Task" },
];

const resultTab = ({ status }: JobDetail): JobTab<JobPart> => ({
  part: "result",
  label: "Result",
  ...(status === "running" ? { aside: "not written yet" } : {}),
});
