import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "./parse-json.ts";
import { parseWellFormed, wellFormed } from "./well-formed.ts";

const anyJson = fc.jsonValue({ stringUnit: "binary" });

describe("text that enters the hall", () => {
  it("has no half of a surrogate pair afterwards, in keys and values at any depth", () => {
    expect(wellFormed({ "a\ud83d": ["\ude00b", { c: "😀" }], n: 1, no: null })).toEqual({
      "a\ufffd": ["\ufffdb", { c: "😀" }],
      n: 1,
      no: null,
    });
  });

  it("is the same value if it is whole, whatever it is", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const whole: unknown = JSON.parse(JSON.stringify(value).toWellFormed());

        expect(wellFormed(whole)).toBe(whole);
      }),
    );
  });

  it("is read from JSON in which a half is escaped, and a pair of escapes stays the character it is", () => {
    expect(parseWellFormed(String.raw`{"\uD83d":"\ud83d\ude00 \uDE00 \\ud83d"}`)).toEqual({ "\ufffd": "😀 \ufffd \\ud83d" });
    expect(parseJson(String.raw`["cut \ud83d"]`)).toEqual(["cut \ufffd"]);
  });

  it("is passed through if it is nested without end", () => {
    let deep: unknown = "\ud83d";
    for (let level = 0; level < 100_000; level += 1) deep = [deep];

    expect(() => wellFormed(deep)).not.toThrow();
  });
});
