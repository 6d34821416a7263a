"use client";

import { counted, opening } from "../../format/figures.ts";
import type { ReadJobs } from "../../live/job-groups.ts";
import { useJobGroups } from "../../live/use-job-groups.ts";
import { useJobsQuery } from "../../live/use-jobs-query.ts";
import { useTitleMark } from "../../live/use-title-mark.ts";
import { Banner } from "../elements/banner.tsx";
import { DispatchButton } from "../groups/dispatch-button.tsx";
import { JobFilter } from "../groups/job-filter.tsx";
import { JobList } from "../groups/job-list.tsx";
import { JobMissing } from "../groups/job-missing.tsx";
import { Page } from "../groups/page.tsx";
import { PageHead } from "../groups/page-head.tsx";

/** All jobs of all workers. */
export function JobsScreen({ initial }: { initial: ReadJobs }) {
  const { query, words, change } = useJobsQuery();
  const { groups, isBehind, failure, readingMore, readMore } = useJobGroups(query, initial);
  const first = groups[0]?.list;
  const counts = first?.counts;
  useTitleMark(counts === undefined || counts.needsYou === 0 ? null : `${counts.needsYou} for you`);
  return (
    <Page>
      <PageHead title="Jobs" actions={<DispatchButton variant="primary" />}>
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

function sentenceOn(counts: ReadJobs["groups"][number]["list"]["counts"] | undefined): string {
  if (counts === undefined) return "";
  const running = `${opening(counts.running)} ${counts.running === 1 ? "job is" : "jobs are"} running`;
  return counts.needsYou === 0 ? `${running}. Nothing waits for you.` : `${running}. ${counted(counts.needsYou, "question")} for you.`;
}
