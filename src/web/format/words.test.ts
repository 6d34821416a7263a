import { describe, expect, it } from "vitest";
import { ageOf } from "./age.ts";
import { counted, opening } from "./figures.ts";
import { firstSentence } from "./first-sentence.ts";
import { wholeWords } from "./whole-words.ts";

const now = Date.parse("2026-11-15T12:00:00.000Z");
const before = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();

describe("figures in words", () => {
  it.each([
    [0.5, "now"],
    [4, "4 min"],
    [59, "59 min"],
    [61, "1 h"],
    [25 * 60, "yesterday"],
    [3 * 24 * 60, "3 days"],
    [60 * 24 * 60, "2026-09-16"],
  ])("something %d minutes ago was %s", (minutes, expected) => {
    expect(ageOf(before(minutes), now)).toBe(expected);
  });

  it("counts in words up to ten, and one thing is one", () => {
    expect([opening(0), opening(3), opening(11)]).toEqual(["No", "Three", "11"]);
    expect([counted(1, "message"), counted(2, "message")]).toEqual(["1 message", "2 messages"]);
  });
});

describe("text that is still arriving", () => {
  it.each([
    ["Hel", "Hel"],
    ["Hello wor", "Hello "],
    ["Hello world.", "Hello world."],
    ["Hello world ", "Hello world "],
    ["über Straß", "über "],
    [`long ${"x".repeat(25)}`, `long ${"x".repeat(25)}`],
  ])("%j is shown as %j", (text, expected) => {
    expect(wholeWords(text)).toBe(expected);
  });
});

describe("a failure in two parts", () => {
  it.each([
    ["The run was stopped.", { first: "The run was stopped.", rest: "" }],
    ["The limit is reached. It resets soon.", { first: "The limit is reached.", rest: "It resets soon." }],
    [
      "Nothing answers at 127.0.0.1:11434. Start it. Then go on.",
      { first: "Nothing answers at 127.0.0.1:11434.", rest: "Start it. Then go on." },
    ],
    ["No point at all", { first: "No point at all", rest: "" }],
  ])("%s", (text, expected) => {
    expect(firstSentence(text)).toEqual(expected);
  });
});
