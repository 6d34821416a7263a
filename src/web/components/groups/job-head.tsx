"use client";

import { Ban, Eye, EyeOff, RotateCcw, Trash2 } from "lucide-react";
import Link from "next/link";
import type { JobDetail } from "../../../schema/job.ts";
import { durationOf } from "../../format/duration.ts";
import { memberHref } from "../../format/member-href.ts";
import { visibleText } from "../../format/visible-text.ts";
import { Button } from "../elements/button.tsx";
import { ClockTime } from "../elements/clock-time.tsx";
import { Icon } from "../elements/icon.tsx";
import { WorkerMonogram } from "../elements/monogram.tsx";
import { Status } from "../elements/status.tsx";
import { NotifySwitch } from "./notify-switch.tsx";
import { asksWords, jobHindrances, jobLooks } from "./job-status.ts";

export type JobActs = { onCancel: () => void; onDelete: () => void; onAgain: () => void; onHide: (isHidden: boolean) => void };

type JobHeadProps = JobActs & { job: JobDetail; workerName: string; openQuestions: number };

/** Which job this is, how it stands, and what can be done with it. */
export function JobHead({ job, workerName, openQuestions, ...acts }: JobHeadProps) {
  const { status, word } = jobLooks[job.status];
  return (
    <header className="ledger-rule mb-5 flex items-end gap-4 pb-4 max-column:flex-col max-column:items-stretch max-column:gap-3">
      <div className="min-w-0">
        <h1 dir="auto" className="[overflow-wrap:anywhere]">
          {visibleText(job.description)}
        </h1>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-3.5 gap-y-1 text-xs text-ink-2">
          {openQuestions > 0 ? <Status of="waiting" word={asksWords({ openQuestions })} /> : null}
          <Status of={status} word={word} />
          <Link href={memberHref(job.worker)} prefetch={false} className="inline-flex items-center gap-1.5 hover:text-ink hover:underline">
            <WorkerMonogram id={job.worker} name={workerName} size={18} />
            <bdi>{workerName}</bdi>
          </Link>
          <JobTimes job={job} />
        </p>
      </div>
      <JobActions job={job} {...acts} />
    </header>
  );
}

function JobTimes({ job: { startedAt, completedAt } }: { job: JobDetail }) {
  if (completedAt === null)
    return (
      <span>
        started <ClockTime at={startedAt} />
      </span>
    );
  return (
    <span className="tabular-nums">
      ended <ClockTime at={completedAt} /> after {durationOf(Math.max(0, Date.parse(completedAt) - Date.parse(startedAt)))}
    </span>
  );
}

function JobActions({ job, onCancel, onDelete, onAgain, onHide }: JobActs & { job: JobDetail }) {
  const isRunning = job.status === "running";
  const hindrances = jobHindrances[job.status];
  return (
    <div className="ml-auto flex flex-none flex-wrap justify-end gap-2 max-column:ml-0 max-column:justify-start max-rail:[&>*]:min-h-11 max-rail:[&>*]:flex-1">
      {isRunning ? <NotifySwitch of="a job ends or asks" /> : null}
      {hindrances.hide === undefined ? (
        <Button icon={<Icon of={job.hidden ? Eye : EyeOff} className="size-[15px]" />} onClick={() => onHide(!job.hidden)}>
          {job.hidden ? "Show in the list" : "Hide from the list"}
        </Button>
      ) : null}
      {hindrances.delete !== undefined ? null : (
        <Button variant="ghost" icon={<Icon of={Trash2} className="size-[15px]" />} aria-haspopup="dialog" onClick={onDelete}>
          Delete…
        </Button>
      )}
      <Button
        icon={<Icon of={RotateCcw} className="size-[15px]" />}
        hotkey="Shift R"
        aria-haspopup="dialog"
        disabledBecause={hindrances.again !== undefined ? "Available when the job has ended" : undefined}
        onClick={onAgain}
      >
        Dispatch again…
      </Button>
      {hindrances.cancel === undefined ? (
        <Button variant="danger" icon={<Icon of={Ban} className="size-[15px]" />} hotkey="C" aria-haspopup="dialog" onClick={onCancel}>
          Cancel job…
        </Button>
      ) : null}
    </div>
  );
}
