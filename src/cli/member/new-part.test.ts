import fc from "fast-check";
import { expect, it } from "vitest";
import { newPart } from "./new-part.ts";

it("what came since is told once, also when the beginning was cut off", () => {
  const line = fc.integer().map((number) => `${number} ${"x".repeat(20)}\n`);
  const lines = fc.uniqueArray(line, { minLength: 60, maxLength: 90 }).map((each) => each.join(""));

  fc.assert(
    fc.property(lines, fc.nat(600), fc.nat(300), (all, seen, cut) => {
      const before = all.slice(0, 800 + seen);
      expect(newPart(before, all)).toBe(all.slice(before.length));
      expect(newPart(before, all.slice(Math.min(cut, before.length - 512)))).toBe(all.slice(before.length));
    }),
  );
});

it("all of it is new where nothing of the old is left", () => {
  expect(newPart("old", "new")).toBe("new");
  expect(newPart("", "new")).toBe("new");
  expect(newPart("same", "same")).toBe("");
});
