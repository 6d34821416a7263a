"use client";

import { opening } from "../../format/figures.ts";
import type { ReadJobs } from "../../live/job-groups.ts";
import { useJobGroups } from "../../live/use-job-groups.ts";
import { jobsAddress, readJobsQuery } from "../../live/jobs-query.ts";
import { useAddressedQuery } from "../../live/use-addressed-query.ts";
import { useTitleMark } from "../../live/use-title-mark.ts";
import { Banner } from "../elements/banner.tsx";
import { DispatchButton } from "../groups/dispatch-button.tsx";
import { JobFilter } from "../groups/job-filter.tsx";
import { JobList } from "../groups/job-list.tsx";
import { JobMissing } from "../groups/job-missing.tsx";
import { Page } from "../groups/page.tsx";
import { NotifySwitch } from "../groups/notify-switch.tsx";
import { PageHead } from "../groups/page-head.tsx";

const addressed = { read: readJobsQuery, addressOf: jobsAddress };

/** All jobs of all workers. */
export function JobsScreen({ initial }: { initial: ReadJobs }) {
  const { query, words, change } = useAddressedQuery(addressed);
  const { groups, isBehind, failure, readingMore, readMore } = useJobGroups(query, initial);
  const first = groups[0]?.list;
  const counts = first?.counts;
  useTitleMark(counts === undefined || counts.needsYou === 0 ? null : `${counts.needsYou} for you`);
  return (
    <Page>
      <PageHead title="Jobs" actions={<JobsActions />}>
        <span role="status" className="tabular-nums">
          {sentenceOn(counts)}
        </span>
      </PageHead>
      <JobFilter query={query} words={words} counts={counts} onChange={change} />
      {failure === null ? null : (
        <div role="alert" className="mb-3">
          <Banner title="The list could not be read.">{failure}</Banner>
        </div>
      )}
      <JobMissing missing={first?.missing ?? []} />
      <JobList
        query={query}
        groups={groups}
        isBehind={isBehind}
        readingMore={readingMore}
        onMore={(group) => void readMore(group)}
        onClear={() => change({ show: "all", worker: "", words: "", hidden: false })}
      />
    </Page>
  );
}

const JobsActions = () => (
  <>
    <NotifySwitch of="a job ends or asks" />
    <DispatchButton variant="primary" />
  </>
);

function sentenceOn(counts: ReadJobs["groups"][number]["list"]["counts"] | undefined): string {
  if (counts === undefined) return "";
  const running = `${opening(counts.running)} ${counts.running === 1 ? "job is" : "jobs are"} running.`;
  if (counts.needsYou === 0) return `${running} Nothing waits for you.`;
  return `${running} ${opening(counts.needsYou)} ${counts.needsYou === 1 ? "question waits" : "questions wait"} for you.`;
}
