import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineOfMistake } from "./json-mistake.ts";

describe("the line of a mistake in JSON", () => {
  it.each([
    ["a word without quotes", '{\n  "a": b,\n  "c": 1\n}', 2],
    ["a comma at the end", '{\n  "a": 1,\n}\n', 3],
    ["a missing comma", '{\n  "a": 1\n  "b": 2\n}', 3],
    ["a comment", '{\n  "a": 1,\n  // mine\n  "b": 2\n}', 3],
    ["single quotes", "{\n\n  'a': 1\n}", 3],
    ["a line break in a text", '{\n  "a": "one\n  two"\n}', 2],
    ["a bad escape", '{\n  "a": "\\x"\n}', 2],
    ["something after the end", "{\n}\n\n{}", 4],
    ["a value cut short", '{\n  "a": tru,\n  "b": 1\n}', 2],
    ["a missing end", '{\n  "a": {\n    "b": 1\n', 4],
    ["nothing at all", "", 1],
  ])("is found for %s", (_what, text, line) => {
    expect(lineOfMistake(text)).toBe(line);
  });

  it("is found wherever something strange was put into a document", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.nat(), fc.constantFrom("@", "'", "=", ":", ")"), (value, at, strange) => {
        const lines = JSON.stringify({ value }, null, 1).split("\n");
        const line = at % lines.length;

        const broken = lines.with(line, `${strange}${lines[line]}`).join("\n");

        expect(lineOfMistake(broken)).toBe(line + 1);
      }),
    );
  });
});
