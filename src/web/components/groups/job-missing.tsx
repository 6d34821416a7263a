"use client";

import Link from "next/link";
import type { JobList } from "../../../schema/job.ts";
import { briefText } from "../../format/brief-text.ts";
import { memberHref } from "../../format/member-href.ts";
import { useRoster } from "../../live/roster-provider.tsx";
import { Banner } from "../elements/banner.tsx";
import { buttonClass } from "../elements/button.tsx";

/** Workers whose jobs are not in the list, and why. */
export function JobMissing({ missing }: Pick<JobList, "missing">) {
  const members = useRoster();
  const nameOf = (worker: string) => members.find(({ name }) => name === worker)?.displayName ?? worker;
  return missing.map(({ worker, jobs, reason }) => (
    <div key={worker} role="status" className="mb-3">
      <Banner
        tone="warning"
        title={`${jobs === "all" ? "The" : "Some"} jobs of ${nameOf(worker)} are not listed.`}
        action={
          <Link href={memberHref(worker)} prefetch={false} className={buttonClass("default", "sm")}>
            See how it is
          </Link>
        }
      >
        {briefText(reason, 600)}
      </Banner>
    </div>
  ));
}
