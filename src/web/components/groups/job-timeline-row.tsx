"use client";

import { Activity, Brain, FileText, Scale } from "lucide-react";
import { memo } from "react";
import type { ReactNode } from "react";
import { sizeOf } from "../../../schema/size.ts";
import { visibleText } from "../../format/visible-text.ts";
import { artifactHash } from "../../live/use-open-artifact.ts";
import { ClockTime } from "../elements/clock-time.tsx";
import { Glyph } from "../elements/glyph.tsx";
import { Icon } from "../elements/icon.tsx";
import { jobLooks } from "./job-status.ts";
import type { TimelineEntry } from "./job-timeline-entry.ts";

type JobTimelineRowProps = {
  entry: TimelineEntry;
  /** What a person answered, where it is a question. */
  answer: string | undefined;
  hasFiles: boolean;
  isNew: boolean;
};

export const JobTimelineRow = memo(function JobTimelineRow({ entry, answer, hasFiles, isNew }: JobTimelineRowProps) {
  return (
    <li
      className={`relative grid grid-cols-[44px_22px_minmax(0,1fr)] gap-x-2.5 pb-[15px] [contain-intrinsic-height:auto_36px] [content-visibility:auto] not-last:before:absolute not-last:before:top-5 not-last:before:bottom-0 not-last:before:left-[65px] not-last:before:w-px not-last:before:bg-line-strong ${isNew ? "fresh" : ""}`}
    >
      <span className="text-right leading-5">{entry.at === null ? null : <ClockTime at={entry.at} />}</span>
      <span className="relative grid size-5.5 place-items-center justify-self-center rounded-full bg-paper [--glyph:var(--paper)]">
        {signOf(entry)}
      </span>
      <div className="min-w-0 leading-5 [overflow-wrap:anywhere]">
        <EntryText entry={entry} answer={answer} hasFiles={hasFiles} />
      </div>
    </li>
  );
});

function signOf(entry: TimelineEntry): ReactNode {
  switch (entry.type) {
    case "status":
      return <Glyph of={jobLooks[entry.status].status} className={`size-4 ${tones[entry.status]}`} />;
    case "question":
      return <Glyph of="waiting" className="size-4 text-brass" />;
    case "progress":
      return <Ring of={Activity} />;
    case "decision":
      return <Ring of={Scale} />;
    case "artifact":
      return <Ring of={FileText} />;
    case "memory":
      return <Ring of={Brain} />;
  }
}

const Ring = ({ of }: { of: Parameters<typeof Icon>[0]["of"] }) => (
  <span className="grid size-5 place-items-center rounded-full text-ink-2 shadow-[0_0_0_1px_var(--line-strong)]">
    <Icon of={of} className="size-3.5" />
  </span>
);

const tones = { running: "text-run", completed: "text-ok", failed: "text-err", cancelled: "text-ink-2" };

function EntryText({ entry, answer, hasFiles }: Omit<JobTimelineRowProps, "isNew">) {
  switch (entry.type) {
    case "status":
      return (
        <p>
          <b className="font-medium">{entry.text === "" ? jobLooks[entry.status].word : visibleText(entry.text)}</b>
        </p>
      );
    case "progress":
      return (
        <p>
          <b className="font-medium">Progress:</b> {visibleText(entry.summary)}
        </p>
      );
    case "question":
      return (
        <>
          <p>
            <b className="font-medium">Question:</b> {visibleText(entry.question)}
          </p>
          {answer === undefined ? null : <p className="mt-[3px] text-ink-2">You answered: {visibleText(answer)}</p>}
        </>
      );
    case "decision":
      return (
        <>
          <p>
            <b className="font-medium">Decision:</b> {visibleText(entry.decision)}
          </p>
          <div className="mt-1.5 max-w-[720px] rounded-2 border border-line bg-surface px-3 py-[9px]">
            <p className="text-ink-2">{visibleText(entry.reasoning)}</p>
            <p className="mt-1 text-xs text-ink-3">It was about: {visibleText(entry.question)}</p>
          </div>
        </>
      );
    case "artifact":
      return (
        <p>
          <b className="font-medium">Artifact</b>{" "}
          {hasFiles ? (
            <a href={artifactHash(entry.path)} className="underline decoration-control underline-offset-3">
              <code>{visibleText(entry.path)}</code>
            </a>
          ) : (
            <code>{visibleText(entry.path)}</code>
          )}{" "}
          <span className="text-xs text-ink-3 tabular-nums">{sizeOf(entry.size)}</span>
        </p>
      );
    case "memory":
      return (
        <p>
          <b className="font-medium">Remembered</b> <code>{visibleText(entry.key)}</code>
        </p>
      );
  }
}
