import { describe, expect, it } from "vitest";
import type { ToolAnswer } from "../../schema/tool.ts";
import { answerParts } from "./answer-views.ts";

const answer = (more: Partial<ToolAnswer>): ToolAnswer => ({ content: [], isError: false, durationMs: 1, ...more });
const text = (said: string) => ({ type: "text" as const, text: said });

describe("the ways to look at an answer", () => {
  it.each<[string, Partial<ToolAnswer>, string[]]>([
    ["plain text", { content: [text("hello")] }, ["content", "markdown", "raw"]],
    ["text that is JSON", { content: [text('{"a":1}')] }, ["json", "raw"]],
    ["text that is a list of objects", { content: [text('[{"a":1},{"b":2}]')] }, ["table", "json", "raw"]],
    ["text that only begins like JSON", { content: [text("{ not json")] }, ["content", "markdown", "raw"]],
    ["a text that is a number", { content: [text("42")] }, ["content", "markdown", "raw"]],
    [
      "structured content with its copy as text",
      { content: [text('{"rows":[{"a":1}]}')], structuredContent: { rows: [{ a: 1 }] } },
      ["table", "json", "raw"],
    ],
    ["structured content beside words", { content: [text("two rows")], structuredContent: { n: 2 } }, ["content", "json", "raw"]],
    ["a picture", { content: [{ type: "image", data: "", mimeType: "image/png" }] }, ["content", "raw"]],
    ["nothing", {}, ["content", "raw"]],
  ])("%s", (_, more, views) => {
    expect(answerParts(answer(more)).views).toEqual(views);
  });

  it("has a table for each list of objects, with the columns of all its rows", () => {
    const { tables } = answerParts(answer({ structuredContent: { a: [{ x: 1 }, { y: 2 }], b: [1], c: [], d: [{ z: 1 }] } }));

    expect(tables.map(({ name, columns }) => [name, columns])).toEqual([
      ["a", ["x", "y"]],
      ["d", ["z"]],
    ]);
  });
});
