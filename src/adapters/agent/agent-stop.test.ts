import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../core/agent/agent-run.ts";
import { callOf, groupIsAlive, readAll, setStage, stageTool, textResult } from "./agent-stage.testing.ts";
import type { Stage } from "./agent-stage.testing.ts";

const stopped = { outcome: "failed", code: "stopped", message: "The run was stopped." };

/** Plays a run, stops it when `moment` has come, and waits until the runner says it is over. */
async function playUntil(stage: Stage, moment: Promise<unknown>, change: Partial<AgentRun> = {}) {
  const stop = new AbortController();
  const played = readAll(stage.runner.run(stage.agentRun({ ...change, signal: stop.signal })));
  await moment;
  stop.abort();
  return played;
}

describe("stop means stopped (SEC-17)", () => {
  it("in a tool, whose signal is aborted, and whose late answer goes nowhere", async () => {
    const called = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    const stage = await setStage([callOf("mcp__stage__slow"), callOf("mcp__stage__slow"), { text: "never" }]);
    let calls = 0;
    const toolServers = stageTool("slow", async (_input, { signal }) => {
      calls += 1;
      called.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      aborted.resolve();
      return textResult("too late");
    });

    const { ending } = await playUntil(stage, called.promise, { toolServers });
    await aborted.promise;

    expect(ending).toEqual(stopped);
    expect(stage.spawned.map(groupIsAlive)).toEqual([false]);
    expect(stage.model.requests).toHaveLength(1);
    expect(calls).toBe(1);
  });

  it("while it waits to try again", async () => {
    const stage = await setStage([{ error: { status: 429, message: "wait", retryAfter: 20 } }, { text: "never" }]);
    const stop = new AbortController();
    const events = [];

    for await (const event of stage.runner.run(stage.agentRun({ signal: stop.signal }))) {
      events.push(event);
      if (event.type === "retry") stop.abort();
    }

    expect(events.at(-1)).toEqual({ type: "ended", ending: stopped });
    expect(stage.spawned.map(groupIsAlive)).toEqual([false]);
    expect(stage.model.requests).toHaveLength(1);
  });

  it("while it waits for a process that was to be warm and does not get there", async () => {
    const spawned = Promise.withResolvers<number>();
    const holdUp = ({ pid }: { pid: number }) => {
      process.kill(pid, "SIGSTOP");
      spawned.resolve(pid);
    };
    const stage = await setStage([{ text: "never" }], {}, { onSpawn: holdUp });
    const warmed = stage.runner.warm(stage.agentRun(), "session");
    const pid = await spawned.promise;

    // By the next turn of the loop the run waits for it.
    const { ending } = await playUntil(stage, new Promise(setImmediate), { warmKey: "session" });
    await warmed;

    expect(ending).toEqual(stopped);
    expect(groupIsAlive(pid)).toBe(false);
    expect(stage.model.requests).toHaveLength(0);
  });

  it("while the process starts, before any model call", async () => {
    const spawned = Promise.withResolvers<void>();
    const stage = await setStage([{ text: "never" }], {}, { onSpawn: () => spawned.resolve() });

    const { ending } = await playUntil(stage, spawned.promise);

    expect(ending).toEqual(stopped);
    expect(stage.exited.map(groupIsAlive)).toEqual([false]);
    expect(stage.model.requests).toHaveLength(0);
  });

  it("before it began, without starting a process", async () => {
    const stage = await setStage([{ text: "never" }]);

    const { ending } = await stage.play({ signal: AbortSignal.abort() });

    expect(ending).toEqual(stopped);
    expect(stage.spawned).toEqual([]);
  });

  it("when nobody reads any more", async () => {
    const stage = await setStage([{ text: "on and on", chunkSize: 3, fault: { how: "stall", afterChunks: 2 } }]);

    for await (const event of stage.runner.run(stage.agentRun())) {
      if (event.type === "text") break;
    }

    expect(stage.spawned.map(groupIsAlive)).toEqual([false]);
    expect(stage.exited).toEqual(stage.spawned);
  });
});
