import { describe, expect, it } from "vitest";
import { newMessageId } from "../../schema/ids.ts";
import type { SessionEvent } from "../../schema/session-event.ts";
import { recoverMessages } from "./recovered-messages.ts";

const at = "2026-01-01T00:00:00.000Z";
const [first, second] = [newMessageId(), newMessageId()];
const lines = (events: readonly SessionEvent[]) => events.map((event) => JSON.stringify(event));

describe("what a killed hall had shown of a query", () => {
  it("becomes messages again, the last of which broke off", () => {
    const left = lines([
      { event: "status", data: { status: "running" } },
      { event: "text", data: { messageId: first, text: "I loo" } },
      { event: "text", data: { messageId: first, text: "k." } },
      { event: "tool_use", data: { messageId: first, id: "t1", name: "Read", input: { path: "a" } } },
      { event: "tool_result", data: { messageId: first, id: "t1", content: "A", isError: false } },
      { event: "usage", data: { inputTokens: 1, outputTokens: 2, costUsd: 0.25, turns: 1 } },
      { event: "text", data: { messageId: second, text: "Half a sen" } },
    ]);

    expect(recoverMessages(left, at)).toEqual({
      costUsd: 0.25,
      usage: { inputTokens: 1, outputTokens: 2, costUsd: 0.25, turns: 1 },
      messages: [
        {
          id: first,
          role: "assistant",
          at,
          blocks: [
            { type: "text", text: "I look." },
            { type: "tool_use", id: "t1", name: "Read", input: { path: "a" } },
            { type: "tool_result", id: "t1", content: "A", isError: false },
          ],
        },
        { id: second, role: "assistant", at, blocks: [{ type: "text", text: "Half a sen" }], interrupted: true },
      ],
    });
  });

  it("is read as far as it goes: a torn line and a strange one say nothing", () => {
    const left = [...lines([{ event: "text", data: { messageId: first, text: "Kept." } }]), '{"event":"dance","data":{}}', '{"event":"te'];

    expect(recoverMessages(left, at).messages.map(({ blocks }) => blocks)).toEqual([[{ type: "text", text: "Kept." }]]);
  });

  it("is nothing where nothing was shown", () => {
    expect(recoverMessages([], at)).toEqual({ messages: [], costUsd: 0, usage: undefined });
  });
});
