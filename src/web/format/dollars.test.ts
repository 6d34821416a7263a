import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { higherLimit, readDollars } from "./dollars.ts";

describe("an amount a person writes", () => {
  it.each([
    ["5", 5],
    [" $ 5.50 ", 5.5],
    ["5,50", 5.5],
    ["0.005", 0.005],
  ])("%j is read", (text, amount) => {
    expect(readDollars(text)).toBe(amount);
  });

  it.each(["", "0", "-1", "five", "1e9", "1.2.3", "12345678"])("%j is none", (text) => {
    expect(readDollars(text)).toBeNull();
  });
});

describe("a higher limit", () => {
  it("is about twice the old one", () => {
    expect(higherLimit({ limitUsd: 5, spentUsd: 5.2 })).toBe(10);
    expect(higherLimit({ limitUsd: 0.01, spentUsd: 3.2 })).toBe(5);
  });

  it("is above what is spent, and one that can be written in the field", () => {
    const amount = fc.double({ min: 0, max: 100_000, noNaN: true });
    fc.assert(
      fc.property(amount, amount, (limitUsd, spentUsd) => {
        const next = higherLimit({ limitUsd, spentUsd });

        expect(next).toBeGreaterThan(spentUsd);
        expect(next).toBeGreaterThanOrEqual(limitUsd);
        expect(readDollars(String(next))).toBe(next);
      }),
    );
  });
});
