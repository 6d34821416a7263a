import { describe, expect, it } from "vitest";
import { movedCaret } from "./moved-caret.ts";

/** The caret is where the bar is. */
const moved = (before: string, after: string): string => {
  const caret = movedCaret(before.replace("|", ""), after, before.indexOf("|"));
  return `${after.slice(0, caret)}|${after.slice(caret)}`;
};

describe("a caret in a text that others change", () => {
  it.each([
    ["lines before it", "a\nwo|rd\nb\n", "new\na\nword\nb\n", "new\na\nwo|rd\nb\n"],
    ["lines after it", "a\nwo|rd\nb\n", "a\nword\nb\nnew\n", "a\nwo|rd\nb\nnew\n"],
    ["lines on both sides", "a\nword|\nb\n", "x\na\nword\ny\nb\n", "x\na\nword|\ny\nb\n"],
    ["its own line taken away", "a\nwo|rd\nb\n", "a\nb\n", "a\n|b\n"],
    ["nothing, at the end", "a\nword|", "a\nword", "a\nword|"],
    ["lines before the end", "a\n|", "x\na\n", "x\na\n|"],
  ])("stays with its words: %s", (_what, before, after, expected) => {
    expect(moved(before, after)).toBe(expected);
  });
});
