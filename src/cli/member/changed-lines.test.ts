import fc from "fast-check";
import { expect, it } from "vitest";
import { changedLines } from "./changed-lines.ts";

it("shows what went and what came, with a line around it", () => {
  expect(changedLines(["a", "b", "c", "d"], ["a", "b", "x", "y", "d"])).toEqual(["  b", "- c", "+ x", "+ y", "  d"]);
  expect(changedLines(["a"], ["a", "b"])).toEqual(["  a", "+ b"]);
  expect(changedLines(["a", "a"], ["a"])).toEqual(["  a", "- a"]);
});

it("tells every line that is only on one side", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 8 });

  fc.assert(
    fc.property(lines, lines, (before, now) => {
      const shown = changedLines(before, now);
      const [gone, come] = ["- ", "+ "].map((mark) => shown.filter((line) => line.startsWith(mark)).length);
      expect(before.length - (gone ?? 0)).toBe(now.length - (come ?? 0));
      expect(before.filter((line) => !now.includes(line)).every((line) => shown.includes(`- ${line}`))).toBe(true);
      expect(now.filter((line) => !before.includes(line)).every((line) => shown.includes(`+ ${line}`))).toBe(true);
    }),
  );
});
