import { describe, expect, it } from "vitest";
import { countdownOf } from "./countdown.ts";

const until = "2026-01-01T12:00:00.000Z";
const left = (ms: number): string | null => countdownOf(until, Date.parse(until) - ms);

describe("a countdown", () => {
  it.each([
    [1, "1 s"],
    [40_000, "40 s"],
    [60_000, "1 min"],
    [750_000, "12 min 30 s"],
    [3_599_000, "59 min 59 s"],
    [11_530_000, "3 h 12 min"],
  ])("shows %d ms to the second in the last hour: %s", (ms, words) => {
    expect(left(ms)).toBe(words);
  });

  it("is over when the time has come", () => {
    expect(left(0)).toBeNull();
    expect(left(-5000)).toBeNull();
  });
});
