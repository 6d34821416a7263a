import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findPlaces } from "./json-places.ts";

describe("places in JSON", () => {
  it("are the lines on which keys and entries stand", () => {
    const text = '{\n  "a": 1,\n  "b": {\n    "c,}": [\n      true,\n      "x\\"]"\n    ]\n  }\n}';

    const places = findPlaces(text);

    expect(places?.lineOf(["a"])).toBe(2);
    expect(places?.lineOf(["b"])).toBe(3);
    expect(places?.lineOf(["b", "c,}"])).toBe(4);
    expect(places?.lineOf(["b", "c,}", 0])).toBe(5);
    expect(places?.lineOf(["b", "c,}", 1])).toBe(6);
  });

  it("of what is missing are where its parent stands", () => {
    const places = findPlaces('\n{\n "a": {}\n}');

    expect(places?.lineOf(["a", "b", "c"])).toBe(3);
    expect(places?.lineOf(["b"])).toBe(2);
    expect(places?.lineOf([])).toBe(2);
  });

  it("tell of keys that are there twice, however they are written", () => {
    const places = findPlaces('{"a": 1,\n"b": {"a": 2},\n"\\u0061": 3}');

    expect(places?.repeated).toEqual([{ key: "a", line: 3 }]);
  });

  it("are right in any document", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify({ value, marked: 0 }, null, 1);

        const places = findPlaces(text);

        expect(places?.lineOf(["marked"])).toBe(text.split("\n").length - 1);
        expect(places?.repeated).toEqual([]);
      }),
    );
  });

  it("are not looked for at a depth nobody writes by hand", () => {
    expect(findPlaces("[".repeat(40) + "]".repeat(40))).toBeNull();
    expect(findPlaces("[".repeat(100_000) + "]".repeat(100_000))).toBeNull();
  });
});
