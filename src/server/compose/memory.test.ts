import { expect, it } from "vitest";
import { memoryBytes, processesIn } from "./memory.ts";

it("a quarter of the memory is for agent processes: at least one, at most 24", () => {
  const sizes = [200_000_000, 2_000_000_000, 6_000_000_000, 64_000_000_000];

  expect(sizes.map(processesIn)).toEqual([1, 3, 10, 24]);
  expect(memoryBytes()).toBeGreaterThan(0);
  expect(Number.isFinite(memoryBytes())).toBe(true);
});
