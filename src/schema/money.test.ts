import { expect, it } from "vitest";
import { money } from "./money.ts";

it.each([
  [0, "$0.00"],
  [0.00004, "<$0.0001"],
  [0.004, "$0.0040"],
  [0.0042, "$0.0042"],
  [0.01, "$0.01"],
  [1.5, "$1.50"],
  [20, "$20.00"],
])("%d dollars are told as %s", (usd, expected) => {
  expect(money(usd)).toBe(expected);
});
