import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markdownPieces, mostMarkdown } from "./markdown-pieces.ts";

const texts = (text: string): string[] => markdownPieces(text).map((piece) => piece.text);
const sizeOf = (said: readonly string[]): number => said.join("").length;

describe("the pieces of a Markdown text", () => {
  it("are its blocks", () => {
    expect(texts("# Plan\n\nOne paragraph\nof two lines.\n\nAnother.")).toEqual(["# Plan", "One paragraph\nof two lines.", "Another."]);
  });

  it("end with the rest of a very long text, cut at the end of a line", () => {
    const text = `${"A line of words.\n\n".repeat(10_000)}end`;

    const pieces = markdownPieces(text);

    const rest = pieces.filter(({ kind }) => kind === "rest");
    expect(pieces.at(-1)).toBe(rest[0]);
    expect(rest).toHaveLength(1);
    expect(rest[0]?.text.endsWith("\n\nend")).toBe(true);
    expect(text.length - (rest[0]?.text.length ?? 0)).toBeLessThanOrEqual(mostMarkdown);
    expect(pieces.slice(0, -1).every(({ text: said }) => said === "A line of words.")).toBe(true);
  });

  it("are plain where quotes are nested deeper than is drawn, and only there", () => {
    expect(markdownPieces(`# Head\n\n${"> ".repeat(2_000)}\n\nAfter it.`).map(({ kind }) => kind)).toEqual(["prose", "plain", "prose"]);
  });

  it("keep a list whole, blank lines between its items or not", () => {
    const list = "1. first\n\n2. second\n\n   more of the second\n\n3. third";

    expect(texts(`${list}\n\nAfter it.`)).toEqual([list, "After it."]);
  });

  it("keep fenced code apart, with what looks like Markdown in it, closed or not", () => {
    const pieces = markdownPieces("Look:\n```ts\nconst a = 1;\n\n# no heading\n```\nThen\n~~~\nstill open\n\n- no list");

    expect(pieces).toEqual([
      { kind: "prose", text: "Look:" },
      { kind: "code", language: "ts", text: "const a = 1;\n\n# no heading" },
      { kind: "prose", text: "Then" },
      { kind: "code", language: "", text: "still open\n\n- no list" },
    ]);
  });

  it("do not take code in a list item, or in a line, for a fence", () => {
    const text = "- item\n\n  indented\n\n```inline``` code";

    expect(markdownPieces(text).every(({ kind }) => kind === "prose")).toBe(true);
  });

  it("know the address of a link wherever it is given", () => {
    const [first] = texts("See [the plan][1].\n\nMore.\n\n[1]: https://example.org/plan");

    expect(first).toBe("See [the plan][1].\n\n[1]: https://example.org/plan");
  });

  it("know it by a label in other letters and with other spaces, and the first address counts", () => {
    const definitions = "[The Plan]: https://example.org/first\n[the plan]: https://example.org/second\n[other]: https://example.org/other";

    const [first, second] = texts(`See [it][the\n  PLAN].\n\n> As [the\n> plan] says.\n\n${definitions}`);

    expect(first).toBe("See [it][the\n  PLAN].\n\n[The Plan]: https://example.org/first");
    expect(second).toBe("> As [the\n> plan] says.\n\n[The Plan]: https://example.org/first");
  });

  it("have only the addresses of their own links, so that a text with many costs little more than without them", () => {
    const numbers = Array.from({ length: 300 }, (_, number) => number);
    const paragraphs = numbers.map((number) => `${"Some words ".repeat(10)}that cite a source [${number}].`);
    const definitions = numbers.map((number) => `[${number}]: https://example.org/some/path/to/article-${number}.html`);
    const report = `${paragraphs.join("\n\n")}\n\n${definitions.join("\n")}`;

    expect(texts(report)[7]).toBe(`${paragraphs[7]}\n\n${definitions[7]}`);
    expect(sizeOf(texts(report))).toBeLessThan(1.5 * report.length);
  });

  it("stay small together, whatever addresses are given and used", () => {
    const short = Array.from({ length: 2500 }, (_, number) => `[d${number}]: http://x/${number}`).join("\n");
    const long = `[d1]: http://x/${"y".repeat(7000)}`;
    const uses = "[d1]\n\n".repeat(6000);
    const allInOne = `[d${Array.from({ length: 1200 }, (_, number) => number).join("][d")}]`;

    for (const text of [`${short}\n\n${uses}`, `${uses}${short}`, `${long}\n\n${uses}`, `${allInOne}\n\n${short}`]) {
      expect(sizeOf(texts(text))).toBeLessThan(text.length + mostMarkdown);
      expect(Math.max(...texts(text).map(({ length }) => length))).toBeLessThanOrEqual(8000);
    }
    expect(texts(`${uses}${short}`)[10]).toBe("[d1]\n\n[d1]: http://x/1");
  });

  it("stay small where a block does not end, and a table keeps its head", () => {
    const words = "word ".repeat(5000);
    const table = `| a | b |\n| --- | --- |\n${"| one | two |\n".repeat(2000)}`;

    expect(Math.max(...texts(words).map(({ length }) => length))).toBeLessThanOrEqual(8000);
    expect(texts(words).join(" ").replaceAll(/\s+/g, " ")).toBe(words.trim());
    expect(texts(table).length).toBeGreaterThan(2);
    expect(texts(table).every((text) => text.startsWith("| a | b |\n| --- | --- |\n| one"))).toBe(true);
  });

  it("but for the last stay as they are while the text grows", () => {
    const line = fc.constantFrom("", "text", "# head", "- item", "  more", "```", "1. one", "| a |", "| - |", "> quote");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.array(line, { maxLength: 10 }), (before, more) => {
        const early = markdownPieces(`${before.join("\n")}\n`);

        const late = markdownPieces([...before, ...more].join("\n"));

        expect(late.slice(0, Math.max(0, early.length - 1))).toEqual(early.slice(0, -1));
      }),
    );
  });

  it("lose no word", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("", "a", "- b", "  c", "~~~", "d e"), { maxLength: 40 }), (lines) => {
        const words = (text: string) => text.match(/\w+/g) ?? [];

        expect(texts(lines.join("\n")).flatMap(words)).toEqual(words(lines.join("\n")));
      }),
    );
  });
});
