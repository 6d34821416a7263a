import { expect, it } from "vitest";
import type { AgentEvent, AgentRun, AgentRunner } from "../agent/agent-run.ts";
import { toolContext } from "../agent/tool-context.testing.ts";
import { playRun } from "./play-run.ts";
import { createSlots } from "./slots.ts";

const since = "2026-01-01T00:00:00.000Z";

it("gives neither a slot nor a word to a call that outlives its process", async () => {
  const slots = createSlots(1);
  const answer = Promise.withResolvers<void>();
  const shown: string[] = [];
  const calls: Promise<unknown>[] = [];
  const asks: AgentRun["toolServers"][number] = {
    name: "person",
    tools: [
      {
        name: "ask",
        description: "Asks a person.",
        inputSchema: { type: "object" },
        async call(_input, { waitFor }) {
          await waitFor({ kind: "slot", since }, () => answer.promise);
          return { content: [] };
        },
      },
    ],
  };
  const runner: Pick<AgentRunner, "run"> = {
    async *run({ toolServers }) {
      for (const tool of toolServers[0]?.tools ?? []) calls.push(tool.call({}, toolContext()));
      yield { type: "ended", ending: { outcome: "failed", code: "internal", message: "The process died." } };
    },
  };
  const agentRun = { toolServers: [asks], signal: new AbortController().signal } as unknown as AgentRun; // the runner looks at no more
  const played = playRun(runner, agentRun, slots.of("lane"), {
    now: () => since,
    onWaiting: ({ kind }) => shown.push(`waits for ${kind}`),
    onResumed: () => shown.push("goes on"),
  });
  const events: AgentEvent[] = [];
  for await (const event of played) events.push(event);

  answer.resolve();
  await Promise.allSettled(calls);

  expect(events).toHaveLength(1);
  expect(shown).toEqual(["waits for slot"]);
  expect(slots.load()).toEqual({ held: 0, waiting: 0 });
});

it("has its slot again when a gate that waited fails", async () => {
  const slots = createSlots(1);
  const held: number[] = [];
  const runner: Pick<AgentRunner, "run"> = {
    async *run({ gate }) {
      await gate?.({ id: "one", name: "Write", input: {} }, toolContext()).catch(() => undefined);
      held.push(slots.load().held);
      yield { type: "ended", ending: { outcome: "completed", text: "Done." } };
    },
  };
  const gate: AgentRun["gate"] = async (_call, { waitFor }) => {
    await waitFor({ kind: "slot", since }, async () => {
      await new Promise(setImmediate);
      held.push(slots.load().held);
    });
    throw new Error("The disk is full.");
  };
  const agentRun = { toolServers: [], gate, signal: new AbortController().signal } as unknown as AgentRun; // the runner looks at no more
  const shown = { now: () => since, onWaiting: () => undefined, onResumed: () => undefined };

  for await (const _event of playRun(runner, agentRun, slots.of("lane"), shown));

  expect(held).toEqual([0, 1]);
  expect(slots.load()).toEqual({ held: 0, waiting: 0 });
});
