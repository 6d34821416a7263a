"use client";

import type { Job } from "../../../schema/job.ts";
import { jobKey } from "../../live/job-groups.ts";
import type { JobGroup as GroupName } from "../../live/jobs-query.ts";
import { useRoster } from "../../live/roster-provider.tsx";
import { Button } from "../elements/button.tsx";
import { Status } from "../elements/status.tsx";
import { JobRow } from "./job-row.tsx";
import { groupLooks } from "./job-status.ts";

type JobGroupProps = {
  group: GroupName;
  jobs: readonly Job[];
  hasMore: boolean;
  isReadingMore: boolean;
  onMore: () => void;
};

/** Jobs that stand alike, under a heading that says how. */
export function JobGroup({ group, jobs, hasMore, isReadingMore, onMore }: JobGroupProps) {
  const members = useRoster();
  const names = new Map(members.map(({ name, displayName }) => [name, displayName]));
  const { status, word } = groupLooks[group];
  const id = `jobs-${group}`;
  return (
    <section aria-labelledby={id}>
      <div className="flex items-center gap-2 border-t border-line bg-paper px-3.5 py-[7px] text-xs [--glyph:var(--paper)]">
        <h2 id={id} className="flex font-ui text-xs leading-4 font-medium tracking-normal">
          {status === null ? word : <Status of={status} word={word} />}
        </h2>
        <span className="leading-4 text-ink-3 tabular-nums">{hasMore ? `first ${jobs.length}` : jobs.length}</span>
      </div>
      <ul aria-labelledby={id}>
        {jobs.map((job) => (
          <JobRow key={jobKey(job)} job={job} workerName={names.get(job.worker) ?? job.worker} />
        ))}
      </ul>
      {hasMore ? (
        <div className="border-t border-line p-2 text-center">
          <Button size="sm" busy={isReadingMore} onClick={onMore}>
            Show more jobs
          </Button>
        </div>
      ) : null}
    </section>
  );
}
