import { describe, expect, it } from "vitest";
import { JobId } from "../../../schema/job.ts";
import type { JobDetail, JobEvent } from "../../../schema/job.ts";
import { MemberName } from "../../../schema/ids.ts";
import { jobPassages } from "./job-passages.ts";
import { entriesOf, entriesOfStatus, sentenceOfEntry } from "./job-timeline-entry.ts";

const at = "2026-11-16T02:00:00.000Z";
const events: JobEvent[] = [
  { id: 1, at, type: "status", status: "running", text: "Started" },
  { id: 2, at, type: "text", text: "I look for it." },
  { id: 4, at, type: "tool_use", toolUseId: "a", name: "WebSearch", input: { query: "queues" } },
  { id: 5, at, type: "tool_use", toolUseId: "b", name: "Read", input: { file_path: "x" } },
  { id: 6, at, type: "tool_result", toolUseId: "a", text: "three hits", isError: false },
  { id: 7, at, type: "memory", key: "queues" },
  { id: 8, at, type: "text", text: "Found." },
];

describe("the events of a job", () => {
  it("are read as passages of text and runs of calls, each call with its result or without one yet", () => {
    expect(jobPassages(events)).toEqual([
      { kind: "text", key: "text 2", text: "I look for it." },
      {
        kind: "calls",
        key: "calls 4",
        calls: [
          { id: "4 a", name: "WebSearch", input: { query: "queues" }, result: { content: "three hits", isError: false } },
          { id: "5 b", name: "Read", input: { file_path: "x" }, result: null },
        ],
      },
      { kind: "text", key: "text 8", text: "Found." },
    ]);
  });

  it("are a timeline without what was said, and each is a sentence for who hears it", () => {
    expect(entriesOf(events).map(sentenceOfEntry)).toEqual(["Started", "Something was remembered: queues"]);
  });

  it("are made of the status where a worker tells none, in the order in which they can have happened", () => {
    const job: JobDetail = {
      worker: MemberName.parse("plain"),
      jobId: JobId.parse("1"),
      status: "failed",
      description: "Look",
      summary: "Half way",
      questions: ["Which?"],
      decisions: [{ question: "How?", decision: "So", reasoning: "Because" }],
      error: "No more money.",
      startedAt: at,
      completedAt: at,
      hidden: false,
      asked: [{ question: "Which?", isOpen: true, answer: null, dismissedAt: null }],
      offers: { events: false, artifacts: false },
    };

    expect(entriesOfStatus(job).map(sentenceOfEntry)).toEqual([
      "Dispatched",
      "Decision: So",
      "The worker asks: Which?",
      "Progress: Half way",
      "No more money.",
    ]);
  });
});
