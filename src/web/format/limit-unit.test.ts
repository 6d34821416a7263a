import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limitUnits } from "./limit-unit.ts";

describe("a limit in turns", () => {
  it("is read from a whole number", () => {
    expect(limitUnits.turns.read(" 40 ")).toBe(40);
  });

  it.each(["", "0", "-1", "1.5", "ten", "12345678"])("is not read from %j", (text) => {
    expect(limitUnits.turns.read(text)).toBeNull();
  });

  it("names what is used if it is too low", () => {
    expect(limitUnits.turns.tooLow(1)).toBe("1 turn is used already. A limit has to be above that.");
  });
});

describe("a limit that is suggested", () => {
  it("is above what is used, and the field that it stands in can be read", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400_000 }), (used) => {
        const suggested = limitUnits.turns.higher(used);

        expect(suggested).toBeGreaterThan(used);
        expect(limitUnits.turns.read(String(suggested))).toBe(suggested);
      }),
    );
    expect([3, 150].map(limitUnits.turns.higher)).toEqual([10, 300]);
    expect(limitUnits.dollars.higher(2.5)).toBe(5);
  });
});
