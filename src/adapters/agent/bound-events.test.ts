import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../core/agent/agent-run.ts";
import { createEventBounds, maxAnswerCharacters } from "./bound-events.ts";

function bounded(events: readonly AgentEvent[]): AgentEvent[] {
  const out: AgentEvent[] = [];
  events.forEach(createEventBounds((event) => out.push(event)));
  return out;
}

const text = (words: string, responseId = "r1"): AgentEvent => ({ type: "text", responseId, text: words });
const textOf = (events: readonly AgentEvent[], responseId = "r1"): string =>
  events.map((event) => (event.type === "text" && event.responseId === responseId ? event.text : "")).join("");
const use = (input: unknown): AgentEvent => ({ type: "tool_use", responseId: "r1", id: "t1", name: "x", input });
const result = (content: unknown): AgentEvent => ({ type: "tool_result", id: "t1", content, isError: false });

describe("what a run may say (SEC-15)", () => {
  it("is passed on as it is up to the limit", () => {
    const events = [
      text("a".repeat(maxAnswerCharacters)),
      use({ words: "b".repeat(100_000) }),
      result("c"),
      result([{ type: "text", text: "d" }]),
    ];

    expect(bounded(events)).toEqual(events);
  });

  it("is cut where an answer is longer, once and with a sentence, and the next answer is whole", () => {
    const out = bounded([text("a".repeat(900_000)), text("b".repeat(900_000)), text("c"), text("whole", "r2")]);

    expect(textOf(out)).toBe(
      `${"a".repeat(900_000)}${"b".repeat(100_000)}\n\n[Cut here: the answer has more than 1,000,000 characters. The rest was left out.]`,
    );
    expect(textOf(out, "r2")).toBe("whole");
  });

  it("is not cut in the middle of a character", () => {
    const out = bounded([text(`${"a".repeat(maxAnswerCharacters - 1)}😀`)]);

    expect(textOf(out).isWellFormed()).toBe(true);
  });

  it("leaves out arguments and results that no page could show", () => {
    const out = bounded([use({ words: "x".repeat(2_000_000) }), result("y".repeat(300_000)), result([{ data: "z".repeat(10_000_000) }])]);

    expect(out).toEqual([
      use("[Left out: it has 2,000,012 characters, and at most 1,000,000 are stored.]"),
      result(expect.stringMatching(/^y{200000}\n\[Cut here: the result has 300000 characters/)),
      result("[Left out: it has 10,000,013 characters, and at most 9,000,000 are stored.]"),
    ]);
  });
});
