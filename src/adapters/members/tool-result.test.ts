import { describe, expect, it } from "vitest";
import { CallAnswer, toolResultOf } from "./tool-result.ts";

const resultOf = (answer: unknown) => toolResultOf(CallAnswer.parse(answer));

describe("what a tool answers", () => {
  it("comes back as it was said, without what nobody knows", () => {
    const content = [
      { type: "text", text: "hello" },
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      { type: "resource_link", uri: "file:///a", name: "a", size: 3 },
      { type: "resource", resource: { uri: "file:///a", mimeType: "text/plain", text: "hi" } },
    ];

    const result = resultOf({
      content: content.map((piece) => ({ ...piece, extra: 1 })),
      structuredContent: { a: [1] },
      isError: false,
      _meta: {},
    });

    expect(result).toEqual({ content, structuredContent: { a: [1] }, isError: false });
  });

  it("may be nothing at all, or data alone", () => {
    expect(resultOf({})).toEqual({ content: [] });
    expect(resultOf({ structuredContent: { a: 1 } })).toEqual({ content: [], structuredContent: { a: 1 } });
  });

  it("may say null for what is not there", () => {
    expect(resultOf({ content: null, structuredContent: null, isError: null })).toEqual({ content: [] });
    expect(resultOf({ content: [{ type: "text", text: "hi", annotations: null, _meta: null }] })).toEqual({
      content: [{ type: "text", text: "hi" }],
    });
    expect(resultOf({ content: [{ type: "resource_link", uri: "a:b", name: "a", title: null, size: null }] }).content).toEqual([
      { type: "resource_link", uri: "a:b", name: "a" },
    ]);
  });

  it("is not lost where it is of another shape than the protocol's", () => {
    expect(resultOf({ content: "hi", isError: "yes" })).toEqual({ content: [{ type: "text", text: "hi" }], isError: true });
    expect(resultOf({ content: { type: "text", text: "hi" }, isError: 0 })).toEqual({
      content: [{ type: "text", text: "hi" }],
      isError: false,
    });
    expect(resultOf({ structuredContent: [1] })).toEqual({ content: [{ type: "text", text: JSON.stringify([1], null, 2) }] });
  });

  it("is shown as it came where its kind is not known", () => {
    expect(resultOf({ content: [{ type: "smell", strength: 3 }] }).content).toEqual([
      { type: "text", text: JSON.stringify({ type: "smell", strength: 3 }, null, 2) },
    ]);
  });

  it("is cut where it has more pieces than anybody reads", () => {
    const { content } = resultOf({ content: Array.from({ length: 10_005 }, () => ({ type: "text", text: "" })) });

    expect(content).toHaveLength(10_001);
    expect(content.at(-1)).toEqual({ type: "text", text: "… and 5 more pieces, which the hall does not take." });
  });
});
