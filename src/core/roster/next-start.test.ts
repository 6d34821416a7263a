import { describe, expect, it } from "vitest";
import { nextStart } from "./next-start.ts";

const minute = 60_000;

describe("the next start after a failure", () => {
  it.each([
    { before: 0, connectedMs: 0, failures: 1, inMs: 1000 },
    { before: 1, connectedMs: 0, failures: 2, inMs: 2000 },
    { before: 2, connectedMs: 0, failures: 3, inMs: 4000 },
    { before: 3, connectedMs: minute, failures: 4, inMs: 8000 },
    { before: 4, connectedMs: minute, failures: 5, inMs: null },
    { before: 4, connectedMs: 3 * minute, failures: 1, inMs: 1000 },
  ])("comes in $inMs ms after $before failures and $connectedMs ms connected", ({ before, connectedMs, failures, inMs }) => {
    expect(nextStart(before, connectedMs)).toEqual({ failures, inMs });
  });
});
