import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { previewOf } from "./preview.ts";

const said = (...texts: string[]) => previewOf({ blocks: texts.map((text) => ({ type: "text" as const, text })) });

describe("the preview of a message", () => {
  it.each([
    ["Which one is faster?", "Which one is faster?"],
    ["# Result\n\nThe **second** parser is `3×` faster.\n\n", "The second parser is 3× faster."],
    ["See:\n1. [the report](https://example.org/a_b)\n", "the report"],
    ["> - [x] keep snake_case and _this_", "keep snake_case and this"],
    ["```ts\nconst a = 1;\n```", "const a = 1;"],
    ["| a | b |\n|---|---|\n| one | two |", "one two"],
    ["Done.\n\n---\n***", "Done."],
    ["2 * 3 = 6", "2 * 3 = 6"],
  ])("of %j is its last line without Markdown's signs", (text, expected) => {
    const preview = said(text);

    expect(preview).toBe(expected);
  });

  it("is the last text where tools were used in between", () => {
    const preview = previewOf({
      blocks: [
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "1", name: "Read", input: {} },
      ],
    });

    expect(preview).toBe("Let me look.");
  });

  it("is none for a message without words", () => {
    expect(previewOf({ blocks: [{ type: "tool_use", id: "1", name: "Read", input: {} }] })).toBeNull();
    expect(said(" \n---\n")).toBeNull();
  });

  it("is one line of at most 160 characters for any text", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 400 })), (texts) => {
        const preview = said(...texts);

        expect(preview ?? "").toSatisfy((line: string) => line.length <= 160 && !/[\n\r\t]/.test(line) && line.isWellFormed());
      }),
    );
  });

  it("comes from the end of a text that is very long", () => {
    const preview = said(`${"[".repeat(200_000)}\nThe end.`);

    expect(preview).toBe("The end.");
  });

  it("looks at the last 4,000 characters of all texts together", () => {
    const before = said("Too far back.", ...Array<string>(250).fill("[](".padEnd(4_000)));
    const within = said("Near the end.", ...Array<string>(100).fill("-".repeat(30)));

    expect([before, within]).toEqual([null, "Near the end."]);
  });

  it("begins with a whole character where a text is cut", () => {
    const preview = said(`${"😀".repeat(2_500)}a`);

    expect(preview?.startsWith("😀")).toBe(true);
  });
});
