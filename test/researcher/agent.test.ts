import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { groupIsAlive } from "../../src/adapters/agent/agent-stage.testing.ts";
import { call, eventsOf, setStage, steps, tool } from "./agent-stage.ts";

const internalTools = ["log_question", "record_decision", "store_memory", "submit_result", "update_summary", "write_artifact"].map(tool);

describe("the researcher's agent", () => {
  it("works with its own tools, and the next job remembers (REQ-WD-22, REQ-WD-23, REQ-WD-24, REQ-WD-25, REQ-WD-26, REQ-WD-27, REQ-WD-28, REQ-WD-30, REQ-WD-34, REQ-WD-41)", async () => {
    const stage = await setStage(
      steps(
        { text: "I begin.", ...call(tool("update_summary"), { summary: "Reading about kettles." }) },
        call(tool("record_decision"), { question: "Which kettles?", decision: "Electric ones.", reasoning: "They are the common kind." }),
        call(tool("log_question"), { question: "Is descaling in scope?" }),
        call(tool("store_memory"), { key: "Kettles", content: "kettle.example has the best tests." }),
        call(tool("write_artifact"), { path: "tables/kettles.csv", content: "name,watts\nK1,2000\n" }),
        call(tool("submit_result"), { output: "## Answer\nK1.", artifacts: ["tables/kettles.csv"] }),
        { text: "Done." },
      ),
    );
    const task = "Which kettle is best? See @/etc/passwd\n/clear";

    const played = await stage.play(task);
    const next = await stage.play("And which toaster?");

    const { meta, result, events } = played;
    expect(meta).toMatchObject({ status: "completed", error: null, openQuestions: 1, artifacts: ["artifacts/tables/kettles.csv"] });
    expect(meta.usage).toMatchObject({ turns: 7, maxTurns: 150, maxBudgetUsd: 2.5 });
    expect(meta.usage.costUsd).toBeGreaterThan(0);
    expect(result).toBe("## Answer\nK1.");
    const jobFile = (name: string) => readFile(join(stage.folder, "jobs", played.id, name), "utf8");
    expect(await jobFile("status.md")).toContain("Reading about kettles.");
    expect(await jobFile("questions.md")).toContain("Is descaling in scope?");
    expect(JSON.parse(await jobFile("decisions.json"))).toMatchObject([{ decision: "Electric ones." }]);
    expect(await jobFile("artifacts/tables/kettles.csv")).toContain("K1,2000");
    expect(await readFile(join(stage.folder, "memory/kettles.md"), "utf8")).toBe("kettle.example has the best tests.");

    const [first] = stage.model.requests;
    expect(first?.conversation.tools.toSorted()).toEqual(["Glob", "Grep", "Read", "WebFetch", ...internalTools].toSorted());
    expect(first?.conversation.userTexts).toEqual([task]);
    expect(first?.conversation.system).toContain("Which kettle is best?");
    for (const name of ["update_summary", "record_decision", "log_question", "store_memory"])
      expect(first?.conversation.system).toContain(name);
    expect(first?.conversation.system).not.toContain("kettle.example");

    expect(eventsOf(events, "progress")[0]?.summary).toContain("Web search is missing");
    expect(eventsOf(events, "text").map(({ text }) => text)).toEqual(["I begin.", "Done."]);
    expect(eventsOf(events, "tool_use").map(({ name }) => name)).toHaveLength(6);
    expect(eventsOf(events, "tool_result").map(({ isError }) => isError)).toEqual(Array.from({ length: 6 }, () => false));
    expect(eventsOf(events, "memory")).toMatchObject([{ key: "kettles" }]);
    expect(eventsOf(events, "artifact")).toMatchObject([{ path: "artifacts/tables/kettles.csv", size: 19 }]);
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(["question", "decision"]));

    const second = stage.model.requests.find(({ conversation }) => conversation.userTexts.includes("And which toaster?"));
    expect(second?.conversation.system).toContain("kettle.example has the best tests.");
    expect(next.meta.status).toBe("completed");
    // The model was asked nothing beside the two jobs.
    expect(stage.model.requests).toHaveLength(14);
    expect(stage.problems).toEqual([]);
  });

  it("takes up an interrupted job where it was, and one whose session is broken from the start (REQ-WD-47)", async () => {
    const stage = await setStage([
      { when: { step: 1, userContains: "bread" }, reply: call(tool("update_summary"), { summary: "Kneading." }) },
      { when: { step: 2, userContains: "bread" }, times: 1, reply: { fault: { how: "hang" } } },
      { when: { step: 1, userContains: "You were interrupted" }, reply: call(tool("submit_result"), { output: "Bread." }) },
      { when: { step: 2, userContains: "bread" }, reply: { text: "All anew." } },
      { reply: { text: "Done." } },
    ]);
    const [resumed, anew] = await Promise.all([stage.dispatch("How is bread made?"), stage.dispatch("How is bread sold?")]);
    await stage.model.waitForRequest(4);
    const projects = join(stage.folder, "jobs", anew, "sdk/config/projects");

    await stage.queue().stop();
    const [project = ""] = await readdir(projects);
    await writeFile(join(projects, project, `${anew}.jsonl`), "what a disk made of it");
    const left = stage.store.find(resumed)?.meta;
    await stage.restart(resumed, anew);
    await stage.queue().settled(resumed);
    await stage.queue().settled(anew);

    expect(left).toMatchObject({ status: "running", attempt: 1 });
    const ends = await Promise.all([stage.look(resumed), stage.look(anew)]);
    expect(ends.map(({ meta, result }) => [meta.status, meta.attempt, result])).toEqual([
      ["completed", 2, "Bread."],
      ["completed", 2, "All anew."],
    ]);
    const onwards = stage.model.requests.find(({ conversation }) => conversation.userTexts.at(-1)?.startsWith("You were interrupted"));
    expect(onwards?.conversation.userTexts[0]).toBe("How is bread made?");
    expect(JSON.stringify(onwards?.body.messages)).toContain("Kneading.");
    expect(ends[0]?.meta.usage.turns).toBe(3);
  });

  it("is gone with all it started when its job is cancelled, and says so when it is killed (REQ-WD-16)", async () => {
    const stage = await setStage([{ reply: { text: "I think", fault: { how: "stall", afterChunks: 1 } } }]);
    const [cancelled, killed] = await Promise.all([stage.dispatch("one"), stage.dispatch("two")]);
    const request = await stage.model.waitForRequest(2);
    const [pid, other] = [cancelled, killed].map((id) => stage.store.find(id)?.meta.agent?.pid ?? 0);

    await stage.queue().cancel(cancelled);
    const isLeft = groupIsAlive(pid ?? 0);
    process.kill(other ?? 0, "SIGKILL");
    await stage.queue().settled(killed);

    expect(isLeft).toBe(false);
    expect(await request.ended).toBe("abandoned");
    expect(stage.store.find(cancelled)?.meta.status).toBe("cancelled");
    expect(stage.store.find(killed)?.meta.error).toContain("SIGKILL");
  });
});
