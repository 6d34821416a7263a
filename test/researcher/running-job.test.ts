import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { call, eventsOf, tool } from "./agent-stage.ts";
import { setMemberStage } from "./member-stage.ts";

const internalTools = ["log_question", "record_decision", "store_memory", "submit_result", "update_summary", "write_artifact"].map(tool);

const replies: Reply[] = [
  { text: "I begin.", ...call(tool("update_summary"), { summary: "Reading about kettles." }) },
  call(tool("record_decision"), { question: "Which kettles?", decision: "Electric ones.", reasoning: "They are the common kind." }),
  call(tool("log_question"), { question: "Is descaling in scope?" }),
  call(tool("store_memory"), { key: "Kettles", content: "kettle.example has the best tests." }),
  call(tool("write_artifact"), { path: "tables/kettles.csv", content: "name,watts\nK1,2000\n" }),
  call(tool("submit_result"), { output: "## Answer\nK1.", artifacts: ["tables/kettles.csv"] }),
  { text: "Done." },
];

describe("a running researcher", () => {
  it("works with its own tools, and the next job remembers (REQ-WD-22, REQ-WD-23, REQ-WD-24, REQ-WD-25, REQ-WD-26, REQ-WD-27, REQ-WD-28, REQ-WD-29, REQ-WD-30, REQ-WD-31, REQ-WD-34, REQ-WD-41, WD-SC-4, WD-SC-7, WD-SC-8, WD-AIV-7, WD-AIV-8)", async () => {
    const stage = await setMemberStage(({ messages }) => replies[messages.filter(({ role }) => role === "assistant").length]);
    const task = "Which kettle is best? See @/etc/passwd\n/clear";

    const jobId = await stage.dispatch(task);
    const { status, result, events } = await stage.end(jobId);
    const next = await stage.end(await stage.dispatch("And which toaster?"));

    expect(status).toMatchObject({
      status: "completed",
      error: null,
      summary: "Reading about kettles.",
      questions: ["Is descaling in scope?"],
      decisions: [{ question: "Which kettles?", decision: "Electric ones.", reasoning: "They are the common kind." }],
      usage: { turns: 7, maxTurns: 150, maxBudgetUsd: 2.5 },
    });
    expect(status.usage?.costUsd).toBeGreaterThan(0);
    expect(result).toEqual({ jobId, output: "## Answer\nK1.", artifacts: ["artifacts/tables/kettles.csv"] });
    expect(await stage.jobFile(jobId, "status.md")).toContain("Reading about kettles.");
    expect(await stage.jobFile(jobId, "questions.md")).toContain("Is descaling in scope?");
    expect(await stage.jobFile(jobId, "decisions.json")).toContain("Electric ones.");
    expect(await stage.jobFile(jobId, "artifacts/tables/kettles.csv")).toContain("K1,2000");
    expect(await readFile(join(stage.folder, "memory/kettles.md"), "utf8")).toBe("kettle.example has the best tests.");

    expect(eventsOf(events, "progress")[0]?.summary).toContain("Web search is missing");
    expect(eventsOf(events, "text").map(({ text }) => text)).toEqual(["I begin.", "Done."]);
    expect(eventsOf(events, "tool_use")).toHaveLength(6);
    expect(eventsOf(events, "tool_result").map(({ isError }) => isError)).toEqual(Array.from({ length: 6 }, () => false));
    expect(eventsOf(events, "memory")).toMatchObject([{ key: "kettles" }]);
    expect(eventsOf(events, "artifact")).toMatchObject([{ path: "artifacts/tables/kettles.csv", size: 19 }]);

    const [first] = stage.model.requests;
    expect(first?.conversation.tools.toSorted()).toEqual(["Glob", "Grep", "Read", "WebFetch", ...internalTools].toSorted());
    expect(first?.conversation.userTexts).toEqual([task]);
    expect(first?.conversation.system).toContain("Which kettle is best?");
    for (const name of ["update_summary", "record_decision", "log_question", "store_memory"])
      expect(first?.conversation.system).toContain(name);
    for (const heading of ["Question", "Answer", "Evidence", "Confidence", "Open questions"])
      expect(first?.conversation.system).toContain(`\n## ${heading}\n`);
    expect(first?.conversation.system).not.toContain("kettle.example");
    const second = stage.model.requests.find(({ conversation }) => conversation.userTexts.includes("And which toaster?"));
    expect(second?.conversation.system).toContain("kettle.example has the best tests.");
    expect(next.status.status).toBe("completed");
    // The model was asked nothing beside the two jobs.
    expect(stage.model.requests).toHaveLength(14);
  });
});
