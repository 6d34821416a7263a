import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPlaceholderName, suggestName } from "./suggest-name.ts";

describe("a name suggested from the first message", () => {
  it.each([
    ["Hello, can you please review the sync queue? It drops rows.", "Review the sync queue"],
    ["# Release 2.14\n\nWrite the checklist.", "Release 2.14"],
    ["please fix `parseDate` in **dates.ts**", "Fix parseDate in dates.ts"],
    ["```ts\nconst a = 1;\n```\nWhat does this do?", "What does this do"],
    ["- [the plan](https://example.org/p) is late", "The plan is late"],
    ["slow: write me a long list of birds", "Slow: write me a long list of birds"],
    ["Release notes: write them, please", "Release notes: write them, please"],
    ["Here is what went wrong: the queue drops rows", "Here is what went wrong"],
    ["Überprüfe die Rechnung vom März.", "Überprüfe die Rechnung vom März"],
  ])("of %j is %j", (message, name) => {
    expect(suggestName(message)).toBe(name);
  });

  it("is cut between words where the sentence is long", () => {
    expect(suggestName("Compare the three proposals for the retry budget and write down which one we should take")).toBe(
      "Compare the three proposals for the retry budget…",
    );
  });

  it("is none where there is nothing to name it after", () => {
    expect(["", "   ", "42", "?!", "```\ncode\n```"].map(suggestName)).toEqual([null, null, null, null, null]);
  });

  it("is one short line, whatever was said", () => {
    const piece = fc.constantFrom(
      "a",
      "Ü",
      "7",
      " ",
      "\n",
      "```",
      "`",
      "# ",
      "- ",
      "*",
      "[",
      "](",
      ")",
      ".",
      "? ",
      "please ",
      "hello ",
      "…",
    );
    fc.assert(
      fc.property(fc.string({ unit: piece, maxLength: 200 }), (message) => {
        const name = suggestName(message) ?? "none";

        expect(name.length).toBeLessThanOrEqual(50);
        expect(name).not.toContain("\n");
      }),
    );
  });
});

describe("a name nobody thought about", () => {
  it("is one the hall gives by itself, and no name of a person's", () => {
    expect(["Untitled", "untitled 3", "New session", "A first look", "First session"].map(isPlaceholderName)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(["Untitled poem", "Session notes", "Plan"].map(isPlaceholderName)).toEqual([false, false, false]);
  });
});
