import { describe, expect, it } from "vitest";
import { raisesLimits } from "./raises-limits.ts";

const hall = { maxTurns: 150, maxBudgetUsd: 2, perSessionUsd: null };

describe("raisesLimits", () => {
  it.each([
    ["a higher limit", { maxCostUsd: 1 }, { maxCostUsd: 1.01 }],
    ["a limit taken away", { maxCostUsd: 1 }, {}],
    ["more turns than the hall gives", {}, { maxTurns: 151 }],
    ["more for one message than the hall gives", {}, { maxBudgetUsd: 2.5 }],
    ["one raised and one lowered", { maxTurns: 10, maxCostUsd: 1 }, { maxTurns: 5, maxCostUsd: 2 }],
  ])("is true for %s", (_what, before, after) => {
    expect(raisesLimits(before, after, hall)).toBe(true);
  });

  it.each([
    ["the same", { maxTurns: 200, maxCostUsd: 5 }, { maxTurns: 200, maxCostUsd: 5 }],
    ["a lower limit", { maxCostUsd: 2 }, { maxCostUsd: 1 }],
    ["a first limit", {}, { maxCostUsd: 1_000 }],
    ["going back to the hall's lower limit", { maxTurns: 300 }, {}],
    ["the hall's own limit", {}, { maxTurns: 150, maxBudgetUsd: 2 }],
  ])("is false for %s", (_what, before, after) => {
    expect(raisesLimits(before, after, hall)).toBe(false);
  });
});
