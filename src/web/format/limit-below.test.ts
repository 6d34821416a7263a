import { describe, expect, it } from "vitest";
import { limitBelow } from "./limit-below.ts";

describe("a refusal above the form that raises the limit", () => {
  it.each([
    [
      'Session "Parsers" has cost $2.00, and its limit is $2.00. Raise the limit in the session\'s settings, or with `guild-hall session limit`, and send again.',
      'Session "Parsers" has cost $2.00, and its limit is $2.00. Raise the limit below and send again.',
    ],
    [
      "The limit is $5.00 a day. Raise it for today in the settings, or with `guild-hall limit`, and send again, or wait until tomorrow.",
      "The limit is $5.00 a day. Raise it for today below and send again, or wait until tomorrow.",
    ],
    ["The model has had too much.", "The model has had too much."],
  ])("points to it: %s", (refusal, told) => {
    expect(limitBelow(refusal)).toBe(told);
  });
});
