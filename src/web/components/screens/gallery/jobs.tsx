"use client";

import { MemberName } from "../../../../schema/ids.ts";
import { JobId } from "../../../../schema/job.ts";
import type { Job } from "../../../../schema/job.ts";
import { JobGroup } from "../../groups/job-group.tsx";
import { JobQuestion } from "../../groups/job-question.tsx";
import { JobTimeline } from "../../groups/job-timeline.tsx";
import { Stack } from "./arrange.tsx";

const at = "2026-01-07T09:00:00.000Z";

const jobOf = (job: Partial<Job>): Job => ({
  worker: MemberName.parse("hollis"),
  jobId: JobId.parse("J-147"),
  status: "running",
  description: "Replace the cursor table with a per-device watermark",
  summary: null,
  startedAt: at,
  completedAt: null,
  openQuestions: 0,
  usage: { turns: 31, costUsd: 1.37, maxTurns: 60, maxBudgetUsd: 2.5 },
  hidden: false,
  ...job,
});

const near = { turns: 44, costUsd: 2.11, maxTurns: 60, maxBudgetUsd: 2.5 };

const rows: readonly Job[] = [
  jobOf({ openQuestions: 1 }),
  jobOf({ jobId: JobId.parse("J-146"), summary: "2 of 3 causes ruled out", usage: { ...near, maxTurns: null, maxBudgetUsd: null } }),
  jobOf({ jobId: JobId.parse("J-140"), status: "failed", summary: "Tests failed twice", usage: near, hidden: true }),
  jobOf({ jobId: JobId.parse("J-139"), status: "completed", summary: "Report, 4 pages", usage: null }),
  jobOf({ jobId: JobId.parse("J-138"), status: "cancelled" }),
];

export const JobRowSamples = () => (
  <div className="overflow-hidden rounded-3 border border-line bg-surface">
    <JobGroup group="waiting" jobs={rows.slice(0, 1)} hasMore={false} isReadingMore={false} onMore={() => undefined} />
    <JobGroup group="running" jobs={rows.slice(1, 2)} hasMore={false} isReadingMore={false} onMore={() => undefined} />
    <JobGroup group="ended" jobs={rows.slice(2)} hasMore isReadingMore={false} onMore={() => undefined} />
  </div>
);

const question = "Drop the old column now, or keep it for 2.15?";
const open = { question, isOpen: true, answer: null, dismissedAt: null };
const answered = { ...open, isOpen: false, answer: { text: "Keep it for one release.", at, followUp: JobId.parse("J-148") } };
const dismissed = { ...open, question: "And the table that nobody reads?", isOpen: false, dismissedAt: at };

export const JobQuestionSamples = () => (
  <Stack>
    {[open, answered, dismissed].map((asked, index) => (
      <JobQuestion
        key={index}
        worker="hollis"
        workerName="Hollis"
        jobId="J-147"
        asked={asked}
        onAnswer={async () => null}
        onDismiss={async () => false}
      />
    ))}
  </Stack>
);

export const JobTimelineSamples = () => (
  <JobTimeline
    asked={[answered]}
    hasFiles={false}
    entries={[
      { id: "1", at, type: "status", status: "running", text: "Dispatched" },
      { id: "2", at, type: "progress", summary: "3 of 5 readers now call watermark()" },
      {
        id: "3",
        at,
        type: "decision",
        question: "In which order?",
        decision: "readers first",
        reasoning: "Either half can be reverted alone.",
      },
      { id: "4", at, type: "artifact", path: "notes/cursor-migration.md", size: 3277 },
      { id: "5", at, type: "memory", key: "cursor-table" },
      { id: "6", at, type: "question", question },
      { id: "7", at, type: "status", status: "completed", text: "" },
    ]}
  />
);
