import { expect, it } from "vitest";
import { createEntryCodes } from "./entry-codes.ts";

const hourMs = 60 * 60 * 1000;

it("a code opens once (SEC-21)", () => {
  const codes = createEntryCodes();
  const { code } = codes.mint();

  expect([codes.redeem(code), codes.redeem(code)]).toEqual([true, false]);
});

it("a code expires after an hour (SEC-21)", () => {
  let now = 0;
  const codes = createEntryCodes(() => now);
  const [early, late] = [codes.mint().code, codes.mint().code];

  now = hourMs - 1;
  expect(codes.redeem(early)).toBe(true);
  now = hourMs;
  expect(codes.redeem(late)).toBe(false);
});

it("no other text opens, and no more than a hundred codes are kept", () => {
  const codes = createEntryCodes();
  const first = codes.mint().code;
  const others = Array.from({ length: 100 }, () => codes.mint().code);

  expect([codes.redeem(""), codes.redeem(`${others[0]} `)]).toEqual([false, false]);
  expect(codes.redeem(first)).toBe(false);
  expect(others.every((code) => codes.redeem(code))).toBe(true);
});
