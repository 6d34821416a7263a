import { defineTool } from "../tool.ts";

type Input = { text: string; ignore: string[]; top: number; caseSensitive: boolean };

const count = { type: "integer", minimum: 0 } as const;

export const countWords = defineTool<Input>(
  {
    name: "count_words",
    title: "Count words",
    description: "Counts characters, lines and words of a text in any language, and lists its most frequent words as a table.",
    inputSchema: {
      type: "object",
      properties: {
        text: { type: "string", title: "Text", minLength: 1, maxLength: 100_000, contentMediaType: "text/plain" },
        ignore: {
          type: "array",
          title: "Words to leave out",
          items: { type: "string", minLength: 1, maxLength: 40 },
          uniqueItems: true,
          maxItems: 100,
          default: [],
        },
        top: { type: "integer", title: "Rows of the table", minimum: 1, maximum: 50, default: 5 },
        caseSensitive: { type: "boolean", title: "Tell capitals apart", default: false },
      },
      required: ["text"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        characters: count,
        lines: count,
        words: count,
        frequent: {
          type: "array",
          items: {
            type: "object",
            properties: { word: { type: "string" }, count, share: { type: "number", minimum: 0, maximum: 1 } },
            required: ["word", "count", "share"],
          },
        },
      },
      required: ["characters", "lines", "words", "frequent"],
    },
  },
  ({ text, ignore, top, caseSensitive }) => {
    const folded = (word: string): string => (caseSensitive ? word : word.toLowerCase());
    const left = new Set(ignore.map(folded));
    const words = wordsOf(text);
    const tally = Map.groupBy(words.map(folded), (word) => word);
    const frequent = [...tally]
      .filter(([word]) => !left.has(word))
      .map(([word, { length }]) => ({ word, count: length, share: Number((length / words.length).toFixed(4)) }))
      .toSorted((a, b) => b.count - a.count || a.word.localeCompare(b.word))
      .slice(0, top);
    const result = { characters: charactersOf(text).length, lines: text.split("\n").length, words: words.length, frequent };
    return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result };
  },
);

/** Words as people of any language see them, also where no spaces stand between them. */
const wordsOf = (text: string): string[] =>
  [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)].flatMap(({ segment, isWordLike }) =>
    isWordLike === true ? [segment] : [],
  );

/** What a person calls a character: a letter with its accents, a flag, a family. */
const charactersOf = (text: string) => [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)];
