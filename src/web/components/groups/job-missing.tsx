"use client";

import Link from "next/link";
import type { JobList } from "../../../schema/job.ts";
import { memberHref } from "../../format/member-href.ts";
import { useRoster } from "../../live/roster-provider.tsx";
import { Banner } from "../elements/banner.tsx";
import { buttonClass } from "../elements/button.tsx";

/** Workers whose jobs are not in the list, and why. */
export function JobMissing({ missing }: Pick<JobList, "missing">) {
  const members = useRoster();
  return missing.map(({ worker, reason }) => (
    <div key={worker} role="status" className="mb-3">
      <Banner
        tone="warning"
        title={`The jobs of ${members.find(({ name }) => name === worker)?.displayName ?? worker} are not listed.`}
        action={
          <Link href={memberHref(worker)} prefetch={false} className={buttonClass("default", "sm")}>
            See how it is
          </Link>
        }
      >
        {reason}
      </Banner>
    </div>
  ));
}
