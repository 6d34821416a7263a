import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { newSdkSessionId } from "../../schema/ids.ts";
import { callOf, eventsOf, setStage, stageTool, textResult, until } from "./agent-stage.testing.ts";
import type { Stage } from "./agent-stage.testing.ts";

const warm = (stage: Stage, key: string, change: Parameters<Stage["agentRun"]>[0] = {}) => stage.runner.warm(stage.agentRun(change), key);

/** Processes that were started and have not gone. */
const alive = ({ spawned, exited }: Stage): number => spawned.length - exited.length;

describe("a warm process", () => {
  it("makes no model call, serves the next run of its key with that run's own tools, continues its conversation, and goes with it; one that has died is no obstacle", async () => {
    const stage = await setStage([{ text: "One." }, callOf("mcp__stage__ask"), { text: "Two." }]);
    const tools = (answer: string) => ({ toolServers: stageTool("ask", () => Promise.resolve(textResult(answer))) });
    const conversation = { id: newSdkSessionId(), resume: true };
    const first = { prompt: "first", conversation: { ...conversation, resume: false } };
    await warm(stage, "session", first);
    process.kill(stage.spawned[0] ?? 0, "SIGKILL");
    await until(() => alive(stage) === 0);
    await stage.play({ ...first, warmKey: "session" });
    const left = await readdir(stage.folders.temporary);

    await warm(stage, "session", { ...tools("of the warm-up"), conversation });
    const asked = stage.model.requests.length;
    const { ending, events } = await stage.play({ prompt: "second", ...tools("of the run"), conversation, warmKey: "session" });

    expect(asked).toBe(1);
    expect(ending).toEqual({ outcome: "completed", text: "Two." });
    expect(JSON.stringify(eventsOf(events, "tool_result"))).toContain("of the run");
    expect(stage.model.requests[1]?.conversation.userTexts).toEqual(["first", "second"]);
    expect(stage.model.requests).toHaveLength(3);
    expect(stage.spawned).toHaveLength(3);
    expect(stage.exited).toEqual(stage.spawned);
    expect(left).toEqual([]);
  });

  it("is not started where there is room for none", async () => {
    const stage = await setStage([{ text: "Done." }], { warmCount: 0 });

    await warm(stage, "session");

    expect(stage.spawned).toEqual([]);
  });

  it("is dropped when the run differs from what it was warmed for, and when another process continues its conversation", async () => {
    const stage = await setStage([{ text: "Done." }]);
    const conversation = { id: newSdkSessionId(), resume: false };

    await warm(stage, "session", { systemPrompt: "Old rules." });
    await warm(stage, "other", { conversation });
    await stage.play({ systemPrompt: "New rules.", warmKey: "session", conversation });

    expect(stage.model.requests[0]?.conversation.system).toContain("New rules.");
    expect(stage.spawned).toHaveLength(3);
    expect(alive(stage)).toBe(0);
  });

  it("goes when it is dropped, when its time is over, when there are too many, and when the runner closes", async () => {
    const stage = await setStage([{ text: "never" }], { warmCount: 1 });
    const impatient = await setStage([{ text: "never" }], { warmMs: 1 });

    await warm(stage, "one");
    await warm(stage, "two");
    expect(stage.exited).toEqual([stage.spawned[0]]);
    await stage.runner.dropWarm("two");
    await stage.runner.dropWarm("two");
    expect(stage.exited).toEqual(stage.spawned.slice(0, 2));
    const last = warm(stage, "three");
    const closed = await stage.runner.close();
    await last;
    await warm(impatient, "soon");

    await until(() => alive(impatient) === 0 && impatient.spawned.length > 0);
    expect(closed).toEqual({ interrupted: 0 });
    expect(alive(stage)).toBe(0);
    expect(stage.model.requests).toHaveLength(0);
  });
});
