import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../../schema/session.ts";
import type { SessionEvent } from "../../schema/session-event.ts";
import type { AgentEvent } from "../agent/agent-run.ts";
import { createMessageFold } from "./message-fold.ts";

function fold(agentEvents: readonly AgentEvent[], interrupted = false): { events: SessionEvent[]; messages: Message[] } {
  const messageFold = createMessageFold({ now: () => "2026-01-01T00:00:00.000Z" });
  const events: SessionEvent[] = [];
  const messages: Message[] = [];
  for (const event of agentEvents) {
    const taken = messageFold.take(event);
    events.push(...taken.events);
    messages.push(...taken.finished);
  }
  messages.push(...messageFold.finish({ interrupted }));
  return { events, messages };
}

describe("the fold of an agent's events", () => {
  it("makes one message per model response, with each tool result beside its tool use", () => {
    const { messages } = fold([
      { type: "text", responseId: "r1", text: "Let me " },
      { type: "text", responseId: "r1", text: "look." },
      { type: "tool_use", responseId: "r1", id: "t1", name: "Read", input: { file_path: "a" } },
      { type: "tool_result", id: "t1", content: "inside", isError: false },
      { type: "text", responseId: "r2", text: "Done." },
    ]);

    expect(messages.map(({ blocks }) => blocks.map(({ type }) => type))).toEqual([["text", "tool_use", "tool_result"], ["text"]]);
  });

  it("keeps what was said when the run is cut off, marked as interrupted", () => {
    const { messages } = fold([{ type: "text", responseId: "r1", text: "Half a" }], true);

    expect(messages).toMatchObject([{ interrupted: true, blocks: [{ type: "text", text: "Half a" }] }]);
  });

  it("marks a response that broke off as interrupted, and not the one that took its place", () => {
    const { messages } = fold([
      { type: "text", responseId: "r1", text: "Half a" },
      { type: "broken_off", responseId: "r1" },
      { type: "text", responseId: "r2", text: "Whole." },
      { type: "broken_off", responseId: "r1" },
    ]);

    expect(messages.map(({ blocks, interrupted = false }) => [blocks, interrupted])).toEqual([
      [[{ type: "text", text: "Half a" }], true],
      [[{ type: "text", text: "Whole." }], false],
    ]);
  });

  it("publishes chunks that joined are exactly the stored text of their message", () => {
    const chunk = fc.record({ response: fc.nat(3), text: fc.string({ minLength: 1 }) });
    fc.assert(
      fc.property(fc.array(chunk), (chunks) => {
        const ordered = chunks.toSorted((a, b) => a.response - b.response);

        const { events, messages } = fold(ordered.map(({ response, text }) => ({ type: "text", responseId: `r${response}`, text })));

        for (const message of messages) {
          const published = events.flatMap((each) => (each.event === "text" && each.data.messageId === message.id ? [each.data.text] : []));
          expect(message.blocks).toEqual([{ type: "text", text: published.join("") }]);
        }
      }),
    );
  });

  it("drops a tool result whose call it never saw", () => {
    expect(fold([{ type: "tool_result", id: "ghost", content: "?", isError: false }])).toEqual({ events: [], messages: [] });
  });
});
