import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileGlob, maxPatternLength } from "../../guild-members/researcher/glob.ts";

/** What a glob means, said as simply as possible; far too slow for use. */
function reference(pattern: readonly string[], text: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return text.length === 0;
  if (first === "*") return reference(rest, text) || (text.length > 0 && reference(pattern, text.slice(1)));
  return text.length > 0 && (first === "?" || first === text[0]) && reference(rest, text.slice(1));
}

describe("a glob over descriptions (REQ-WD-8)", () => {
  it.each([
    ["*", "", true],
    ["*", ".hidden/with a slash", true],
    ["Research*", "Research: tides / moon", true],
    ["Research*", "research", false],
    ["*moon", "tides / moon", true],
    ["t?des", "tides", true],
    ["t?des", "tdes", false],
    ["m?n", "m🌙n", true],
    ["[ab]", "a", false],
    ["[ab]", "[ab]", true],
    ["", "", true],
    ["", "a", false],
    [".+(a|b)$", ".+(a|b)$", true],
  ])("%j fits %j: %j", (pattern, text, isFit) => {
    expect(compileGlob(pattern)(text)).toBe(isFit);
  });

  it("means what the simplest reading of a glob means, across the borders of words too", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "é", "🌙"), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom("a", "b", "é", "🌙", "*", "?"), maxLength: 8 });
    const lead = fc.constantFrom("", "a".repeat(29), "a".repeat(62));
    fc.assert(
      fc.property(lead, pattern, letters, (same, glob, text) => {
        expect(compileGlob(same + glob)(same + text)).toBe(reference(Array.from(glob), Array.from(text)));
      }),
      { numRuns: 500 },
    );
  });

  it("has no pattern that makes it go back: the worst ones take as many steps as the others", () => {
    const texts = Array.from({ length: 100 }, (_, index) => `${"a".repeat(499 - index)}b`);
    const worst = ["*a".repeat(maxPatternLength / 2), "a*".repeat(maxPatternLength / 2), `*${"?".repeat(maxPatternLength - 2)}c`];

    const fits = worst.map((pattern) => texts.filter(compileGlob(pattern)).length);

    expect(fits).toEqual([0, 100, 0]);
  });
});
