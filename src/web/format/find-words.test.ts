import { describe, expect, it } from "vitest";
import { findWords } from "./find-words.ts";

const marked = (text: string, words: string) => findWords(text, words).map(([from, to]) => text.slice(from, to));

describe("the words of a search in a name", () => {
  it("are found in any order, whatever their case and accents", () => {
    expect(marked("Crème brûlée, for a Café", "cafe CREME")).toEqual(["Crème", "Café"]);
    expect(marked("aa aa", "aa")).toEqual(["aa", "aa"]);
  });

  it("do not overlap", () => {
    expect(marked("Invoices", "invoice voices")).toEqual(["Invoice"]);
  });

  it("are none where there are none, or places would not be the same", () => {
    expect(findWords("Invoices", "")).toEqual([]);
    expect(findWords("Invoices", "cursor")).toEqual([]);
    expect(findWords("🙂 ﬁne", "fine")).toEqual([]);
  });
});
