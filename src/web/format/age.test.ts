import { describe, expect, it } from "vitest";
import { momentOf } from "./age.ts";

/** Of this machine's own zone, as a reader's times are. */
const local = (...[year, month, day, hour, minute]: [number, number, number, number, number]): Date =>
  new Date(year, month - 1, day, hour, minute);

const now = local(2026, 11, 15, 0, 10).getTime();

describe("the time of a message", () => {
  it.each([
    ["today", local(2026, 11, 15, 0, 5), "00:05"],
    ["some minutes ago, which was yesterday", local(2026, 11, 14, 23, 59), "14 Nov, 23:59"],
    ["later, by a clock that differs", local(2026, 11, 16, 1, 0), "16 Nov, 01:00"],
    ["the same day of another year", local(2025, 11, 15, 11, 9), "15 Nov 2025, 11:09"],
  ])("%s", (_, at, expected) => {
    expect(momentOf(at.toISOString(), now)).toBe(expected);
  });
});
