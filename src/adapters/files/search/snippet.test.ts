import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { snippetOf } from "./snippet.ts";

const marked = (text: string, search: string) => {
  const snippet = snippetOf(text, search);
  return { text: snippet.text, words: snippet.marks.map(([from, to]) => snippet.text.slice(from, to)) };
};

describe("a snippet", () => {
  it("shows a short text whole, with the words marked in it", () => {
    expect(marked("The parser\n\nis faster.", "FAST parser")).toEqual({ text: "The parser is faster.", words: ["parser", "fast"] });
  });

  it("shows where the rarest word is, from the beginning of a word, and says that there is more", () => {
    const text = `${"the same again and ".repeat(50)}a needle in ${"the same again and ".repeat(50)}`;

    const { text: shown, words } = marked(text, "the needle");

    expect(words).toContain("needle");
    expect(shown).toMatch(/^…(the|same|again|and) .*…$/);
    expect(shown.length).toBeLessThanOrEqual(162);
  });

  it("marks what folding changed: accents, width, ligatures and letters without spaces", () => {
    expect(marked("Our RÉSUMÉ", "resume").words).toEqual(["RÉSUMÉ"]);
    expect(marked("an ﬁnal word", "final").words).toEqual(["ﬁnal"]);
    expect(marked("我们的数据库很快", "数据").words).toEqual(["数据"]);
  });

  it("does not mark the inside of a word", () => {
    expect(marked("a cat in a concatenation", "cat").words).toEqual(["cat"]);
  });

  it("shows the beginning where the words cannot be seen", () => {
    expect(marked("What is this?", "***")).toEqual({ text: "What is this?", words: [] });
  });

  it("is bounded plain text with marks in order inside it, for any text and any search", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 600 }), fc.string({ unit: "grapheme", maxLength: 20 }), (text, search) => {
        const snippet = snippetOf(text, search);

        expect(snippet.text.length).toBeLessThanOrEqual(163);
        const places = snippet.marks.flat();
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(places.every((place) => place >= 0 && place <= snippet.text.length)).toBe(true);
      }),
    );
  });
});
