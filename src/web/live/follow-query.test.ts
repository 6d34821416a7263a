import { describe, expect, it } from "vitest";
import { newMessageId, newSessionId } from "../../schema/ids.ts";
import type { SessionEvent } from "../../schema/session-event.ts";
import { followQuery } from "./follow-query.ts";
import type { Streamed } from "./follow-query.ts";

const messageId = newMessageId();
const said = (text: string): SessionEvent => ({ event: "text", data: { messageId, text } });
const done: SessionEvent = { event: "done", data: {} };

describe("a query that is followed", () => {
  it("passes on the first text at once, and thousands of later ones as a few (REQ-GH1-15)", async () => {
    const batches: (readonly Streamed[])[] = [];
    const events = [...Array.from({ length: 20_000 }, (_, index) => said(`${index} `)), done];

    await follow(events, (batch) => batches.push(batch));

    const passed = batches.flat();
    expect(batches[0]).toEqual([{ id: "0", event: said("0 ") }]);
    expect(passed.length).toBeLessThan(1000);
    expect(passed.map(({ event }) => (event.event === "text" ? event.data.text : "")).join("")).toBe(
      Array.from({ length: 20_000 }, (_, index) => `${index} `).join(""),
    );
    expect(passed.at(-1)).toEqual({ id: "20000", event: done });
  });

  it("passes on the first text at once though something else was told just before it", async () => {
    const usage: SessionEvent = { event: "usage", data: { inputTokens: 1, outputTokens: 0, costUsd: 0, turns: 0 } };
    const batches: (readonly Streamed[])[] = [];

    await follow([usage, said("a"), said("b"), done], (batch) => batches.push(batch));

    expect(batches[0]?.map(({ event }) => event)).toEqual([usage, said("a")]);
  });

  it("keeps text and tool calls in the order they came, under the id of the last piece", async () => {
    const call: SessionEvent = { event: "tool_use", data: { messageId, id: "t", name: "Read", input: {} } };
    const passed: Streamed[] = [];

    await follow([said("a"), said("b"), said("c"), call, said("d"), done], (batch) => passed.push(...batch));

    expect(passed).toEqual([
      { id: "0", event: said("a") },
      { id: "2", event: said("bc") },
      { id: "3", event: call },
      { id: "4", event: said("d") },
      { id: "5", event: done },
    ]);
  });
});

async function follow(events: readonly SessionEvent[], onEvents: (events: readonly Streamed[]) => void): Promise<void> {
  const client = {
    async *events() {
      for (const [index, event] of events.entries()) yield { id: String(index), event };
    },
  };
  await followQuery({ client, id: newSessionId(), lastEventId: undefined, signal: new AbortController().signal, onEvents });
}
