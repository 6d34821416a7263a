import { expect, it } from "vitest";
import { boundResult } from "./bound-result.ts";
import { maxResultCharacters } from "../../core/agent/bound-text.ts";

const text = (length: number) => ({ type: "text" as const, text: "x".repeat(length) });

it("leaves a result alone that fits", () => {
  const result = { content: [text(maxResultCharacters)], structuredContent: { a: 1 }, isError: true };

  expect(boundResult(result)).toEqual(result);
});

it("shares the room among all texts, and notes each cut", () => {
  const { content } = boundResult({ content: [text(maxResultCharacters - 10), text(100), text(5)] });

  const texts = content.map((one) => (one.type === "text" ? one.text : ""));
  expect(texts[0]).toHaveLength(maxResultCharacters - 10);
  expect(texts[1]).toMatch(/^x{10}\n\[Cut here: the result has 100 characters, and 90 of them were left out/);
  expect(texts[2]).toMatch(/^\[Cut here/);
});

it("gives a structured form up when it is too large, and keeps the text", () => {
  const bounded = boundResult({ content: [text(5)], structuredContent: { much: "x".repeat(maxResultCharacters) } });

  expect(bounded).toEqual({ content: [text(5)] });
});

it("replaces what is too large to pass on by a note, whatever its kind", () => {
  const huge = "x".repeat(9_000_000);

  const { content } = boundResult({
    content: [
      { type: "image", data: huge, mimeType: "image/png" },
      { type: "resource", resource: { uri: "file:///a", blob: huge } },
      { type: "resource", resource: { uri: "file:///b", text: huge } },
      { type: "resource_link", uri: "file:///c", name: "c" },
      { type: "audio", data: "small", mimeType: "audio/wav" },
    ],
  });

  expect(JSON.stringify(content).length).toBeLessThan(maxResultCharacters + 2_000);
  expect(content.map(({ type }) => type)).toEqual(["text", "text", "resource", "resource_link", "audio"]);
});
