import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../core/agent/agent-run.ts";
import { maxAnswerCharacters, maxMessageCharacters } from "../../core/run/message-budget.ts";
import { createEventBounds } from "./bound-events.ts";

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

  it("has a limit over all blocks of a response, and the next response is whole", () => {
    const call = (at: number, responseId: string): AgentEvent[] => [
      { type: "tool_use", responseId, id: `${responseId} ${at}`, name: "Read", input: { words: "x".repeat(500_000) } },
      { type: "tool_result", id: `${responseId} ${at}`, content: "y".repeat(150_000), isError: false },
    ];
    const calls = Array.from({ length: 30 }, (_, at) => call(at, "r1")).flat();

    const out = bounded([...calls, text("z".repeat(900_000)), ...call(1, "r2")]);

    expect(out.slice(0, 12)).toEqual(calls.slice(0, 12));
    expect(out).toContainEqual({
      ...calls[58],
      input: "[Left out: it has 500,012 characters, and at most 4,000,000 of one message are stored.]",
    });
    expect(out).toContainEqual({ ...calls[59], content: expect.stringMatching(/^\[Left out: it has 150,002 characters/) as string });
    expect(textOf(out)).toMatch(/\n\n\[Cut here: the message has more than 4,000,000 characters\. The rest was left out\.\]$/);
    expect(JSON.stringify(out.slice(0, -2)).length).toBeLessThan(maxMessageCharacters + 50_000);
    expect(out.slice(-2)).toEqual(call(1, "r2"));
  });

  it("leaves pictures out of that limit, up to one of their own", () => {
    const picture = (at: number): AgentEvent[] => [
      { type: "tool_use", responseId: "r1", id: `${at}`, name: "Read", input: {} },
      { type: "tool_result", id: `${at}`, content: [{ type: "image", data: "A".repeat(7_000_000) }], isError: false },
    ];

    const out = bounded([...picture(1), ...picture(2), ...picture(3)]);

    expect(out.slice(0, 4)).toEqual([...picture(1), ...picture(2)]);
    expect(out[5]).toMatchObject({ content: expect.stringMatching(/^\[Left out: /) as string });
  });

  it("cuts ids and names that are too long, a result like its call", () => {
    const id = "i".repeat(3_000_000);
    const calls: AgentEvent[] = [`${id}a`, `${id}b`].flatMap((each) => [
      { type: "tool_use", responseId: "r1", id: each, name: "n".repeat(3_000_000), input: {} },
      { type: "tool_result", id: each, content: "c", isError: false },
    ]);

    const out = bounded([...calls, { ...use({}), id: "i".repeat(200) } as AgentEvent]);
    const ids = out.map((event) => ("id" in event ? event.id : ""));

    expect(ids).toEqual([ids[0], ids[0], ids[2], ids[2], "i".repeat(200)]);
    expect(ids[0]).not.toBe(ids[2]);
    expect(JSON.stringify(out).length).toBeLessThan(3_000);
  });

  it("leaves out calls without number, with one sentence", () => {
    const out = bounded(Array.from({ length: 200_000 }, (_, at): AgentEvent => ({ ...use({ at }), id: `${at}` }) as AgentEvent));

    expect(out.length).toBeLessThan(100_000);
    expect(textOf(out)).toBe("\n\n[Left out: everything after this, because the message has more than 4,000,000 characters.]");
  });
});
