import { expect, it } from "vitest";
import { durationOf } from "./duration.ts";

it("durations are told in the two units that say most", () => {
  const minute = 60_000;

  expect([0, 41.6, 999, 1204, 12_900, 4 * minute, 192 * minute, 180 * minute, 24 * 60 * minute, 53 * 60 * minute].map(durationOf)).toEqual([
    "0 ms",
    "42 ms",
    "999 ms",
    "1.2 s",
    "12 s",
    "4 min",
    "3 h 12 min",
    "3 h",
    "1 day",
    "2 days 5 h",
  ]);
});
