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
    const came = (content: unknown) => resultText({ content, isError: false });

    expect(came("plain")).toBe("plain");
    expect(
      came([
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ]),
    ).toBe("a\nb");
    expect(came([{ type: "image", data: "…" }])).toBeNull();
    expect(came({ rows: 3 })).toBeNull();
  });

  it.each([
    [
      "of a failure says only what the SDK says in its marks",
      "<tool_use_error>Error: no\nsuch file</tool_use_error>",
      true,
      "Error: no\nsuch file",
    ],
    ["of a failure in pieces, too", [{ type: "text", text: "<tool_use_error>No.</tool_use_error>\n" }], true, "No."],
    ["of a failure that speaks of the marks keeps them", "not closed: <tool_use_error>", true, "not closed: <tool_use_error>"],
    [
      "of a success is what the tool said",
      "<tool_use_error>in a file</tool_use_error>",
      false,
      "<tool_use_error>in a file</tool_use_error>",
    ],
  ])("%s", (_, content, isError, expected) => {
    expect(resultText({ content, isError })).toBe(expected);
  });
});

describe("the lines of a result", () => {
  it("are counted as a reader counts them", () => {
    expect(["", "one", "one\ntwo", "one\n"].map(countLines)).toEqual([1, 1, 2, 2]);
  });
});
