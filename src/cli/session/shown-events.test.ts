import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newMessageId } from "../../schema/ids.ts";
import type { Message } from "../../schema/session.ts";
import type { SessionEvent } from "../../schema/session-event.ts";
import { createShownEvents } from "./shown-events.ts";

const id = newMessageId();
const stored: Message = {
  id,
  role: "assistant",
  at: "2026-01-01T00:00:00.000Z",
  blocks: [
    { type: "text", text: "I look" },
    { type: "tool_use", id: "t1", name: "Glob", input: {} },
    { type: "tool_result", id: "t1", content: "a", isError: false },
    { type: "text", text: " and see." },
  ],
};

describe("what of an answer was shown", () => {
  it("leaves exactly the rest, wherever the stream broke off", () => {
    const use: SessionEvent = { event: "tool_use", data: { messageId: id, id: "t1", name: "Glob", input: {} } };
    const result: SessionEvent = { event: "tool_result", data: { messageId: id, id: "t1", content: "a", isError: false } };
    const letters = (text: string): SessionEvent[] =>
      text.split("").map((letter) => ({ event: "text", data: { messageId: id, text: letter } }));
    const whole: SessionEvent[] = [...letters("I look"), use, result, ...letters(" and see.")];

    fc.assert(
      fc.property(fc.nat({ max: whole.length }), (seen) => {
        const shown = createShownEvents();
        for (const event of whole.slice(0, seen)) shown.remember(event);

        expect(told([...whole.slice(0, seen), ...shown.missing([stored])])).toBe("I look[tool_use][tool_result] and see.");
      }),
    );
  });

  it("takes no note of the person for words of the agent", () => {
    const note: Message = { ...stored, role: "user", blocks: [{ type: "text", text: "Be brief." }], note: { readAt: stored.at } };

    expect(createShownEvents().missing([note])).toEqual([]);
  });
});

const told = (events: readonly SessionEvent[]): string =>
  events.map((event) => (event.event === "text" ? event.data.text : `[${event.event}]`)).join("");
