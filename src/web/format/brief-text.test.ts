import { describe, expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import { briefText } from "./brief-text.ts";
import { sentenceOf } from "./sentence-of.ts";

describe("words of a program in a short place", () => {
  it("are cut where they are too long, between characters, and show what cannot be seen", () => {
    expect(briefText("\u202eShort")).toBe("[U+202E]Short");
    expect(briefText("x".repeat(400))).toBe(`${"x".repeat(299)}…`);
    expect(briefText(`ab${"😀".repeat(9)}`, 4)).toBe("ab…");
    expect(briefText("abcd", 4)).toBe("abcd");
  });

  it("are so too in what the hall says of a failure", () => {
    const sentence = sentenceOf(new HallError("member_failed", `It says: \u202e${"x".repeat(100_000)}`), "read");

    expect(sentence).toMatch(/^It says: \[U\+202E\]x+…$/);
    expect(sentence.length).toBeLessThan(1000);
  });
});
