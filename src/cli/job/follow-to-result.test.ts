import { expect, it } from "vitest";
import { JobDetail } from "../../schema/job.ts";
import { closingLines } from "./follow-to-result.ts";

const at = "2026-01-01T00:00:00Z";
const open = { question: "Which sea?", isOpen: true, answer: null, dismissedAt: null };
const unsent = { ...open, answer: { text: "All of them.", at, followUp: null } };
const answered = { ...unsent, isOpen: false, answer: { ...unsent.answer, followUp: "more-tides" } };
const dismissed = { ...open, isOpen: false, dismissedAt: at };

const toAnswer = "guild-hall job answer scribe tides";

it.each([
  ["an open question", [open, answered], [`One question waits for an answer: ${toAnswer}`]],
  ["one whose answer never left", [open, unsent], [`2 questions wait for an answer: ${toAnswer}`]],
  ["none that was answered or needs no answer", [answered, dismissed], []],
])("a job that is over reminds of %s", (_which, asked, lines) => {
  const job = JobDetail.parse({
    worker: "scribe",
    jobId: "tides",
    status: "completed",
    description: "Tides",
    summary: null,
    questions: null,
    decisions: null,
    error: null,
    startedAt: at,
    completedAt: at,
    hidden: false,
    asked,
    offers: { events: true, artifacts: true },
  });

  expect(closingLines(job)).toEqual(lines);
});
