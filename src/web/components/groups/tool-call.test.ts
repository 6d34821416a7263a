import { describe, expect, it } from "vitest";
import { newMessageId } from "../../../schema/ids.ts";
import type { Block } from "../../../schema/session.ts";
import { countLines, mainArgument, passagesOf, resultText, toolName } from "./tool-call.ts";

const passages = (...blocks: Block[]) => passagesOf({ id: newMessageId(), role: "assistant", at: "2026-01-01T00:00:00.000Z", blocks });
const use = (id: string): Block => ({ type: "tool_use", id, name: "Read", input: { file_path: "a.md" } });
const result = (id: string): Block => ({ type: "tool_result", id, content: id, isError: false });

describe("a message as it is read", () => {
  it("puts calls that follow one another together, each with its own result", () => {
    const [text, calls, end] = passages({ type: "text", text: "I look." }, use("1"), use("2"), result("2"), result("1"), {
      type: "text",
      text: "Done.",
    });

    expect([text?.kind, calls?.kind, end?.kind]).toEqual(["text", "calls", "text"]);
    expect(calls?.kind === "calls" && calls.calls.map((call) => call.result?.content)).toEqual(["1", "2"]);
  });

  it("leaves a call without a result open", () => {
    const [calls] = passages(use("1"));

    expect(calls?.kind === "calls" && calls.calls[0]?.result).toBeNull();
  });
});

describe("a tool call in one line", () => {
  it.each([
    ["mcp__git__log", { member: "git", tool: "log" }],
    ["mcp__researcher-dispatch__dispatch", { member: "researcher-dispatch", tool: "dispatch" }],
    ["Read", { member: null, tool: "Read" }],
  ])("reads %s", (name, expected) => {
    expect(toolName(name)).toEqual(expected);
  });

  it.each([
    [{ pattern: "**/*", path: "." }, "**/*"],
    [{ nested: {}, limit: 3 }, "3"],
    ["plain", "plain"],
    [null, ""],
  ])("says the most telling of %j", (input, expected) => {
    expect(mainArgument(input)).toBe(expected);
  });

  it("shows text results as text and leaves others as they are", () => {
    expect(resultText("plain")).toBe("plain");
    expect(
      resultText([
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ]),
    ).toBe("a\nb");
    expect(resultText([{ type: "image", data: "…" }])).toBeNull();
    expect(resultText({ rows: 3 })).toBeNull();
  });
});

describe("the lines of a result", () => {
  it("are counted as a reader counts them", () => {
    expect(["", "one", "one\ntwo", "one\n"].map(countLines)).toEqual([1, 1, 2, 2]);
  });
});
