import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { demoScript } from "../../src/scripted-model/demo/demo-script.ts";
import { eventsOf, setStage } from "./agent-stage.ts";

describe("jobs without a model", () => {
  it("are played by the built-in demo, which says in everything people read that it is scripted", async () => {
    const stage = await setStage(demoScript);

    const { meta, result, events, id } = await stage.play("tour");

    expect(meta).toMatchObject({ status: "completed", openQuestions: 1, artifacts: ["artifacts/demo/steps.md"] });
    const page = await readFile(join(stage.folder, "jobs", id, "artifacts/demo/steps.md"), "utf8");
    const [question] = eventsOf(events, "question");
    const summary = eventsOf(events, "progress").at(-1);
    for (const text of [result, question?.question, summary?.summary]) expect(text).toContain("Scripted demo, no AI");
    expect(page).toContain("No AI was involved");
    expect(eventsOf(events, "tool_result").filter(({ isError }) => isError)).toEqual([]);
  });
});
