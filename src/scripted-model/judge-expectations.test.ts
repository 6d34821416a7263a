import { describe, expect, it } from "vitest";
import { judgeExpectations } from "./judge-expectations.ts";
import type { Performance } from "./judge-expectations.ts";

const played: Performance = {
  status: "completed",
  toolsCalled: ["Read", "mcp__worker-internal__submit_result", "Read"],
  artifacts: ["artifacts/report.md", "artifacts/data/table.csv"],
  files: ["memory/tides.md", "jobs/1/result.md"],
  result: "The tide turns TWICE a day.",
  error: null,
  questions: ["Which harbour is meant?"],
  decisions: [{ question: "Which unit?", decision: "metres", reasoning: "everybody else uses them" }],
};

const judged = (expectations: Parameters<typeof judgeExpectations>[0], performance: Partial<Performance> = {}) =>
  judgeExpectations(expectations, { ...played, ...performance }).map(
    ({ key, expected, isMet }) => `${isMet ? "" : "not "}${key} ${expected}`,
  );

describe("judging what a worker did", () => {
  it("wants a completed job where nothing else is said", () => {
    expect(judged({})).toEqual(["status completed"]);
    expect(judged({}, { status: "failed" })).toEqual(["not status completed"]);
    expect(judged({ status: "failed", errorContains: "BUDGET" }, { status: "failed", error: "The budget is used up." })).toEqual([
      "status failed",
      "errorContains BUDGET",
    ]);
  });

  it("knows a tool by its whole name and by its own", () => {
    expect(judged({ toolsCalled: ["mcp__worker-internal__submit_result", "submit_result", "result"] })).toEqual([
      "status completed",
      "toolsCalled mcp__worker-internal__submit_result",
      "toolsCalled submit_result",
      "not toolsCalled result",
    ]);
    expect(judged({ toolsNotCalled: ["Write", "Read"] })).toEqual(["status completed", "toolsNotCalled Write", "not toolsNotCalled Read"]);
  });

  it("looks for every text of a list, and for all of a path", () => {
    expect(
      judged({
        artifacts: ["report.md", "artifacts/report.md", "data/*.csv", "report"],
        files: "memory/*",
        resultContains: ["twice a day", "thrice"],
        questions: "harbour",
        decisions: ["metres", "feet"],
      }),
    ).toEqual([
      "status completed",
      "artifacts report.md",
      "artifacts artifacts/report.md",
      "artifacts data/*.csv",
      "not artifacts report",
      "files memory/*",
      "resultContains twice a day",
      "not resultContains thrice",
      "questions harbour",
      "decisions metres",
      "not decisions feet",
    ]);
  });

  it("takes an empty list for none", () => {
    expect(judged({ questions: [], artifacts: [] }, { artifacts: [] })).toEqual([
      "status completed",
      "artifacts none",
      "not questions none",
    ]);
  });

  it("says what it found instead", () => {
    const [, , questions] = judgeExpectations({ toolsCalled: "Grep", questions: "price" }, played);

    expect(questions).toMatchObject({ isMet: false, found: "Which harbour is meant?" });
  });
});
