"use client";

import Link from "next/link";
import { useEffect, useRef } from "react";
import { isInGroup } from "../../live/jobs-query.ts";
import type { JobGroup as GroupName, JobsQuery } from "../../live/jobs-query.ts";
import type { ReadGroup } from "../../live/job-groups.ts";
import { useWorkers } from "../../live/use-workers.ts";
import { Button, buttonClass } from "../elements/button.tsx";
import { Empty } from "../elements/empty.tsx";
import { DispatchButton } from "./dispatch-button.tsx";
import { JobGroup } from "./job-group.tsx";
import { jobColumns } from "./job-row.tsx";
import { moveAmongJobs } from "./job-moves.ts";

type JobListProps = {
  query: JobsQuery;
  groups: readonly ReadGroup[];
  isBehind: boolean;
  readingMore: GroupName | null;
  onMore: (group: GroupName) => void;
  onClear: () => void;
};

/** The jobs that were asked for, each group under its heading. */
export function JobList({ query, groups, isBehind, readingMore, onMore, onClear }: JobListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = list;
    current?.addEventListener("keydown", moveAmongJobs);
    return () => current?.removeEventListener("keydown", moveAmongJobs);
  });
  const shown = groups
    .map(({ group, list: { jobs, nextCursor } }) => ({ group, nextCursor, jobs: jobs.filter((job) => isInGroup(job, group, query)) }))
    .filter(({ jobs, nextCursor }) => jobs.length > 0 || nextCursor !== null);
  if (shown.length === 0) return <NoJobs query={query} onClear={onClear} />;
  return (
    <div
      ref={list}
      aria-busy={isBehind}
      className={`overflow-hidden rounded-3 border border-line bg-surface ${isBehind ? "opacity-60" : ""}`}
    >
      <div aria-hidden className={`${jobColumns} py-1.5 text-xs text-ink-3 max-rail:hidden`}>
        <span>Job</span>
        <span>Task and latest progress</span>
        <span>Worker</span>
        <span className="max-wide:hidden">Turns</span>
        <span>Cost</span>
        <span className="text-right">Updated</span>
      </div>
      {shown.map(({ group, jobs, nextCursor }) => (
        <JobGroup
          key={group}
          group={group}
          jobs={jobs}
          hasMore={nextCursor !== null}
          isReadingMore={readingMore === group}
          onMore={() => onMore(group)}
        />
      ))}
    </div>
  );
}

function NoJobs({ query, onClear }: { query: JobsQuery; onClear: () => void }) {
  const hasWorkers = useWorkers().length > 0;
  if (query.show !== "all" || query.worker !== "" || query.words !== "")
    return (
      <Empty
        isWholePage
        title={query.words === "" ? "No job is like that" : `Nothing matches “${query.words}”`}
        action={
          <Button size="sm" onClick={onClear}>
            Show all
          </Button>
        }
      >
        {query.words === "" ? "The others are hidden by this filter." : "The descriptions of jobs were searched. * stands for anything."}
      </Empty>
    );
  if (hasWorkers)
    return (
      <Empty isWholePage title="No jobs yet" action={<DispatchButton />}>
        A job is a task that a worker does on its own. It tells how far it is, and its result is kept here.
      </Empty>
    );
  return (
    <Empty
      isWholePage
      title="No member takes jobs"
      action={
        <Link href="/roster" prefetch={false} className={buttonClass("default", "sm")}>
          Go to the Roster
        </Link>
      }
    >
      A worker is a member that takes jobs. Make one with <code>guild-hall new worker</code> and a name.
    </Empty>
  );
}
