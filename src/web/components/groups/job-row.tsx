"use client";

import { CircleHelp } from "lucide-react";
import Link from "next/link";
import { memo } from "react";
import type { Job } from "../../../schema/job.ts";
import { jobHref, shortJobId } from "../../format/job-href.ts";
import { visibleText } from "../../format/visible-text.ts";
import { Age } from "../elements/age.tsx";
import { Chip } from "../elements/chip.tsx";
import { Icon } from "../elements/icon.tsx";
import { WorkerMonogram } from "../elements/monogram.tsx";
import { Status } from "../elements/status.tsx";
import { CostMeter, TurnsMeter } from "./job-meters.tsx";
import { asksWords, jobLooks } from "./job-status.ts";

/** The columns of the list, for its head too. */
export const jobColumns =
  "grid items-center gap-x-4 px-3.5 rail:grid-cols-[64px_minmax(0,1fr)_112px_104px_54px] wide:grid-cols-[64px_minmax(0,1fr)_128px_118px_116px_62px]";

type JobRowProps = { job: Job; workerName: string };

/** A job in the list. The whole row leads to its page. Rows out of sight are not drawn by the browser. */
export const JobRow = memo(function JobRow({ job, workerName }: JobRowProps) {
  const at = job.completedAt ?? job.startedAt;
  const isOver = job.status !== "running";
  return (
    <li className="border-t border-line [contain-intrinsic-height:auto_53px] [content-visibility:auto]">
      <Link
        href={jobHref(job.worker, job.jobId)}
        prefetch={false}
        data-job
        className={`${jobColumns} min-h-13 py-2 hover:bg-hover focus-visible:-outline-offset-2 max-rail:grid-cols-[minmax(0,1fr)_auto] max-rail:gap-y-0.5 max-rail:py-[11px]`}
      >
        <code className="truncate bg-transparent! p-0! text-[12px] leading-5 text-ink-3 max-rail:order-1">{shortJobId(job.jobId)}</code>
        <span className="min-w-0 max-rail:order-3 max-rail:col-span-2">
          <span dir="auto" className={`block truncate max-rail:whitespace-normal ${isOver ? "" : "font-medium"}`}>
            {visibleText(job.description)}
          </span>
          <JobLine job={job} />
        </span>
        <span className="flex min-w-0 items-center gap-[7px] max-rail:order-4 max-rail:text-xs">
          <WorkerMonogram id={job.worker} name={workerName} size={18} />
          <bdi className="truncate">{workerName}</bdi>
        </span>
        <span className="max-wide:hidden">
          <TurnsMeter usage={job.usage} compact />
        </span>
        <span className="max-rail:order-5 max-rail:self-end max-rail:[&_[role=meter]]:hidden">
          <CostMeter usage={job.usage} compact />
        </span>
        <span className="text-right text-xs text-ink-3 max-rail:order-2">{at === null ? "" : <Age at={at} />}</span>
      </Link>
    </li>
  );
});

/** What it does now, or how it ended; before that, that it waits for the reader. */
function JobLine({ job }: { job: Job }) {
  const { status, word } = jobLooks[job.status];
  const isOver = job.status !== "running";
  const summary = job.summary === null ? null : visibleText(job.summary);
  return (
    <span className="flex items-center gap-1.5 text-xs leading-[17px] text-ink-2">
      {job.openQuestions > 0 ? (
        <span className="flex flex-none items-center gap-1.5 text-brass">
          <Icon of={CircleHelp} className="size-[13px]" />
          {asksWords(job)}
        </span>
      ) : null}
      {isOver ? <Status of={status} word={word} /> : null}
      {job.hidden ? <Chip>Hidden</Chip> : null}
      <span dir="auto" className={`truncate ${job.status === "failed" ? "text-err" : isOver ? "" : "text-run"}`}>
        {summary ?? (isOver ? "" : "Has not told yet how far it is")}
      </span>
    </span>
  );
}
