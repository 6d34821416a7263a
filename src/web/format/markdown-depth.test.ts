import { describe, expect, it } from "vitest";
import { deepestMarkdown, flattenDeep, isTooDeep } from "./markdown-depth.ts";

type Branch = Parameters<ReturnType<typeof flattenDeep>>[0];

const nested = (depth: number): Branch =>
  Array.from({ length: depth }).reduce<Branch>((inside) => ({ type: "element", children: [{ type: "text", value: "a" }, inside] }), {
    type: "text",
    value: "end",
  });

function depthOf(tree: Branch): number {
  let depth = 0;
  for (let level = [tree]; level.length > 0; depth += 1) level = level.flatMap(({ children = [] }) => children);
  return depth;
}

describe("Markdown that is nested", () => {
  it.each(["> ".repeat(51), ">".repeat(10_000), "- ".repeat(51), "1. * > ".repeat(20), `fine\n\n${"> ".repeat(60)}deep`])(
    "is too deep with more quotes and lists at the beginning of a line than anybody reads: %#",
    (text) => {
      expect(isTooDeep(text)).toBe(true);
    },
  );

  it.each(["> ".repeat(50), "plain", "---", "**bold** - > 1.", "- item\n".repeat(500), "> quoted\n".repeat(500)])(
    "is not too deep otherwise: %#",
    (text) => {
      expect(isTooDeep(text)).toBe(false);
    },
  );

  it("keeps the words of what is deeper than that, in order", () => {
    const tree = nested(100_000);

    flattenDeep()(tree);

    expect(depthOf(tree)).toBe(deepestMarkdown + 2);
    let deep = tree;
    for (let depth = 0; depth < deepestMarkdown; depth += 1) deep = deep.children?.at(-1) ?? deep;
    expect(deep.children).toEqual([{ type: "text", value: `${"a".repeat(100_000 - deepestMarkdown)}end` }]);
  });

  it("stays as it is where it is not deep", () => {
    const tree = nested(deepestMarkdown - 1);

    flattenDeep()(tree);

    expect(tree).toEqual(nested(deepestMarkdown - 1));
  });
});
