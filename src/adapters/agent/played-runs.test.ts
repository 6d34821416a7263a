import { describe, expect, it, vi } from "vitest";
import { playRun } from "../../core/run/play-run.ts";
import { createSlots } from "../../core/run/slots.ts";
import type { WaitingFor } from "../../schema/run.ts";
import { readAll, setStage } from "./agent-stage.testing.ts";

describe("runs beyond the limit", () => {
  it("wait for a slot and say so, can be stopped while they wait, without a process, and never run at once (SEC-15)", async () => {
    const stage = await setStage([{ fault: { how: "hang" } }, { text: "Done." }]);
    const slots = createSlots(1);
    const play = (lane: string, signal = new AbortController().signal) => {
      const shown: (WaitingFor["kind"] | "resumed")[] = [];
      const played = readAll(
        playRun(stage.runner, stage.agentRun({ signal }), slots.of(lane), {
          onWaiting: ({ kind }) => shown.push(kind),
          onResumed: () => shown.push("resumed"),
          now: () => "2026-01-01T00:00:00.000Z",
        }),
      );
      return { shown, played };
    };
    const [first, second] = [new AbortController(), new AbortController()];

    const running = play("one", first.signal);
    await stage.model.waitForRequest(1);
    const waiting = play("one", second.signal);
    const another = play("another");
    await vi.waitUntil(() => waiting.shown.length > 0);
    second.abort();
    const stopped = await waiting.played;
    const spawnedBefore = stage.spawned.length;
    first.abort();
    const played = [await running.played, await another.played];

    expect(stopped.ending).toHaveProperty("code", "stopped");
    expect(spawnedBefore).toBe(1);
    expect(played.map(({ ending }) => (ending.outcome === "failed" ? ending.code : ending.outcome))).toEqual(["stopped", "completed"]);
    expect([running, another, waiting].map(({ shown }) => shown)).toEqual([[], ["slot", "resumed"], ["slot"]]);
    expect(stage.spawned).toHaveLength(2);
  });
});
