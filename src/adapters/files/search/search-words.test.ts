import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { openMessageIndex } from "./message-index.ts";
import { nothingRead } from "./new-lines.ts";
import { searchExpression } from "./search-words.ts";

/** An index of one session, whose messages are these, and a search in it. */
async function search(...messages: string[]): Promise<(search: string) => number[]> {
  const index = openMessageIndex(join(await temporaryFolder(), "messages.sqlite"));
  onTestFinished(index.close);
  index.add(messages.map((_, at) => String(at)));
  for (const [at, text] of messages.entries()) index.advance(at + 1, [{ offset: 0, text }], nothingRead);
  return (words) => {
    const expression = searchExpression(words);
    return expression === null ? [] : index.find(expression, 100).map(({ session }) => Number(session));
  };
}

describe("the words of a search", () => {
  it.each([
    ["in any order and any case", "Faster PARSER"],
    ["with the last one not finished", "parser fas"],
    ["without accents", "resume"],
    ["with accents that are not there", "pársér"],
    ["with signs around and inside them", "(parser), snake_case"],
    ["in another width", "ｐａｒｓｅｒ"],
  ])("are found %s", async (_how, words) => {
    const find = await search("The parser is faster; see the résumé in snake_case.", "Nothing of that.");

    expect(find(words)).toEqual([0]);
  });

  it.each([
    ["数据库", true],
    ["数据", true],
    ["据库", true],
    ["库数", false],
    ["データ", true],
    ["ภาษา", true],
    ["한국", true],
  ])("of a script without spaces are found inside a sentence: %s", async (words, isThere) => {
    const find = await search("我们的数据库很快。データを見る。ภาษาไทย 한국어를", "別");

    expect(find(words)).toEqual(isThere ? [0] : []);
  });

  it("must be in one message together", async () => {
    const find = await search("a parser", "a benchmark", "the benchmark of a parser");

    expect(find("parser benchmark")).toEqual([2]);
  });

  it.each([
    ['"', []],
    ["*", []],
    ["NEAR(parser faster)", []],
    ["text:parser", []],
    ["{text} : parser", []],
    ["parser OR nothing", []],
    ["parser NOT faster", []],
    ["-nothing", [1]],
    ["^nothing", [1]],
    ['noth" OR "parser', []],
  ])("are never a language: %s", async (nonsense, expected) => {
    const find = await search("The parser is faster.", "Nothing of that.");

    expect(find(nonsense)).toEqual(expected);
  });

  it("make an expression that the index takes, whatever they are", async () => {
    const find = await search("The parser is faster.", "数据库");
    const signs = fc.stringMatching(/^(?:["'*^()\-+:{}[\]|&,.\\ \n]|NEAR|AND|NOT|text|数|é|a){0,12}$/);

    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), signs), (nonsense) => {
        expect(() => find(nonsense)).not.toThrow();
      }),
      { numRuns: 2_000 },
    );
  });

  it("find every message that holds them, whatever it says", async () => {
    const word = fc.stringMatching(/^[a-z]{2,8}$/);
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 20 }), fc.nat(), async (words, at) => {
        const find = await search(words.join(" "));

        expect(find(words[at % words.length] ?? "")).toEqual([0]);
      }),
      { numRuns: 25 },
    );
  });
});
