import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { newSdkSessionId } from "../../schema/ids.ts";
import { callOf, eventsOf, setStage, stageTool, textResult, until } from "./agent-stage.testing.ts";
import type { Stage } from "./agent-stage.testing.ts";

const warm = (stage: Stage, key: string, change: Parameters<Stage["agentRun"]>[0] = {}) => stage.runner.warm(stage.agentRun(change), key);

/** Processes that were started and have not gone. */
const alive = ({ spawned, exited }: Stage): number => spawned.length - exited.length;

describe("a warm process", () => {
  it("makes no model call, serves the next run of its key with that run's own tools, and goes with it", async () => {
    const stage = await setStage([callOf("mcp__stage__ask"), { text: "Done." }]);
    const tools = (answer: string) => ({ toolServers: stageTool("ask", () => Promise.resolve(textResult(answer))) });

    await warm(stage, "session", tools("of the warm-up"));
    const asked = stage.model.requests.length;
    const { ending, events } = await stage.play({ ...tools("of the run"), warmKey: "session" });

    expect(asked).toBe(0);
    expect(ending).toEqual({ outcome: "completed", text: "Done." });
    expect(JSON.stringify(eventsOf(events, "tool_result"))).toContain("of the run");
    expect(stage.spawned).toHaveLength(1);
    expect(stage.exited).toEqual(stage.spawned);
    expect(stage.model.requests).toHaveLength(2);
  });

  it("is not started where there is room for none", async () => {
    const stage = await setStage([{ text: "Done." }], { warmCount: 0 });

    await warm(stage, "session");

    expect(stage.spawned).toEqual([]);
  });

  it("continues a conversation", async () => {
    const stage = await setStage([{ text: "One." }, { text: "Two." }]);
    const conversation = { id: newSdkSessionId(), resume: true };
    await stage.play({ prompt: "first", conversation: { ...conversation, resume: false } });

    await warm(stage, "session", { conversation });
    const { ending } = await stage.play({ prompt: "second", conversation, warmKey: "session" });

    expect(ending).toEqual({ outcome: "completed", text: "Two." });
    expect(stage.model.requests[1]?.conversation.userTexts).toEqual(["first", "second"]);
    expect(stage.spawned).toHaveLength(2);
  });

  it("is dropped when the run differs from what it was warmed for", async () => {
    const stage = await setStage([{ text: "Done." }]);

    await warm(stage, "session", { systemPrompt: "Old rules." });
    await stage.play({ systemPrompt: "New rules.", warmKey: "session" });

    expect(stage.model.requests[0]?.conversation.system).toContain("New rules.");
    expect(stage.spawned).toHaveLength(2);
    expect(alive(stage)).toBe(0);
  });

  it("is dropped when another process continues its conversation", async () => {
    const stage = await setStage([{ text: "Done." }]);
    const conversation = { id: newSdkSessionId(), resume: false };

    await warm(stage, "session", { conversation });
    await stage.play({ conversation });

    expect(alive(stage)).toBe(0);
  });

  it("that has died is no obstacle", async () => {
    const stage = await setStage([{ text: "Done." }]);

    await warm(stage, "session");
    process.kill(stage.spawned[0] ?? 0, "SIGKILL");
    await until(() => alive(stage) === 0);
    const { ending } = await stage.play({ warmKey: "session" });

    expect(ending.outcome).toBe("completed");
    expect(await readdir(stage.folders.temporary)).toEqual([]);
  });

  it("goes when it is dropped, when its time is over, when there are too many, and when the runner closes", async () => {
    const stage = await setStage([{ text: "never" }], { warmCount: 2 });
    const impatient = await setStage([{ text: "never" }], { warmMs: 1 });

    await warm(stage, "one");
    await warm(stage, "two");
    await stage.runner.dropWarm("two");
    await stage.runner.dropWarm("two");
    expect(stage.exited).toEqual([stage.spawned[1]]);
    await warm(stage, "three");
    await warm(stage, "four");
    expect(stage.exited).toEqual([stage.spawned[1], stage.spawned[0]]);
    const last = warm(stage, "five");
    const closed = await stage.runner.close();
    await last;
    await warm(impatient, "soon");

    await until(() => alive(impatient) === 0 && impatient.spawned.length > 0);
    expect(closed).toEqual({ interrupted: 0 });
    expect(alive(stage)).toBe(0);
    expect(stage.model.requests).toHaveLength(0);
  });
});

describe("runs beyond the limit", () => {
  it("wait for a slot and say so, and never run at once", async () => {
    let most = 0;
    let running = 0;
    const stage = await setStage(
      [{ text: "Done." }],
      { maxRuns: 1 },
      { onSpawn: () => (most = Math.max(most, (running += 1))), onExit: () => (running -= 1) },
    );

    const played = await Promise.all([stage.play(), stage.play(), stage.play({ lane: "another" })]);

    expect(played.map(({ ending }) => ending.outcome)).toEqual(["completed", "completed", "completed"]);
    expect(played.map(({ events }) => eventsOf(events, "waiting").length)).toEqual([0, 1, 1]);
    expect(most).toBe(1);
  });

  it("can be stopped while they wait, without a process", async () => {
    const stage = await setStage([{ fault: { how: "hang" } }], { maxRuns: 1 });
    const [first, second] = [new AbortController(), new AbortController()];

    const running = stage.play({ signal: first.signal });
    await stage.model.waitForRequest(1);
    const waiting = stage.play({ signal: second.signal });
    second.abort();
    const { ending } = await waiting;
    first.abort();
    await running;

    expect(ending).toHaveProperty("code", "stopped");
    expect(stage.spawned).toHaveLength(1);
  });
});
