import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ContextSection } from "../../schema/context.ts";
import { appendToSection, findSection, initialContext, replaceSection, sectionText } from "./context-sections.ts";

describe("a new session's context file", () => {
  it("has a heading for the goal, decisions, work in progress and resources (REQ-GH1-30)", () => {
    const text = initialContext("Compare\nthe parsers");

    expect(text).toBe("# Compare the parsers\n\n## Goal\n\n## Decisions\n\n## In progress\n\n## Resources\n");
    for (const section of ContextSection.options) expect(sectionText(text, section)?.trim()).toBe("");
  });

  it("has its goal below the right heading even where the session is called like one", () => {
    const text = replaceSection(initialContext("Goal"), "goal", "Win.");

    expect(text).toBe("# Goal\n\n## Goal\n\nWin.\n\n## Decisions\n\n## In progress\n\n## Resources\n");
  });
});

describe("replacing a section", () => {
  it.each([
    ["fills an empty one", "## Goal\n\n## Decisions\n", "## Goal\n\nNew.\n\n## Decisions\n"],
    ["puts new text for old", "## Goal\n\nOld.\nOlder.\n\n## Notes\nmine", "## Goal\n\nNew.\n\n## Notes\nmine"],
    ["takes what is below deeper headings along", "## Goal\n### Part\nx\n## Other\n", "## Goal\n\nNew.\n\n## Other\n"],
    ["ends before a higher heading", "## Goal\nx\n# Appendix\nmine\n", "## Goal\n\nNew.\n\n# Appendix\nmine\n"],
    ["knows headings in any case, with a colon, or closed", "## GOAL: ##\nx\n", "## GOAL: ##\n\nNew.\n"],
    ["sees a heading behind the mark that some editors begin a file with", "\ufeff## Goal\nx\n", "\ufeff## Goal\n\nNew.\n"],
    ["keeps the file's own line ends", "# T\r\n\r\n## Goal\r\nx\r\n## More\r\n", "# T\r\n\r\n## Goal\r\n\r\nNew.\r\n\r\n## More\r\n"],
    ["does not take a comment in code for a heading", "## Goal\n```sh\n# build\n```\n## More\n", "## Goal\n\nNew.\n\n## More\n"],
    ["is not misled by a fence nobody closed", "## Goal\n```\nx\n## Decisions\nmine\n", "## Goal\n\nNew.\n\n## Decisions\nmine\n"],
    ["adds what is missing at the end", "just a note", "just a note\n\n## Goal\n\nNew.\n"],
    ["adds it after a fence nobody closed, too", "```\nnote\n", "```\nnote\n\n## Goal\n\nNew.\n"],
    ["begins an empty file", "", "## Goal\n\nNew.\n"],
    ["follows a heading at the very end", "x\n\n## Goal", "x\n\n## Goal\n\nNew.\n"],
    ["leaves smaller headings of that name alone", "### Goal\nmine\n", "### Goal\nmine\n\n## Goal\n\nNew.\n"],
  ])("%s", (_what, before, after) => {
    expect(replaceSection(before, "goal", "New.")).toBe(after);
  });

  it.each([
    ["its own heading", "## Goal\n\nWin.", "Win."],
    ["other sections' headings", "Win.\n\n## Decisions\n- none", "Win.\n\n### Decisions\n- none"],
    ["headings that would end it", "# Big\nx\n## Less\n### Fine", "### Big\nx\n### Less\n### Fine"],
    ["a fence that is not closed", "```js\nlet x;", "```js\nlet x;\n```"],
    ["comments in code", "```sh\n# build\n```", "```sh\n# build\n```"],
    ["half a character", "a\ud83d", "a\ufffd"],
    ["dollar signs and what they stand for elsewhere", "$& $1 $` $'", "$& $1 $` $'"],
  ])("keeps %s in the content from reaching beyond it", (_what, content, kept) => {
    const text = replaceSection("## Goal\nold\n## Notes\nmine\n## Decisions\nours\n", "goal", content);

    expect(text).toBe(`## Goal\n\n${kept}\n\n## Notes\nmine\n## Decisions\nours\n`);
  });
});

describe("appending to a section", () => {
  it.each([
    ["goes on with a list", "## Goal\n- a\n\n## More\n", "- b", "## Goal\n- a\n- b\n\n## More\n"],
    ["begins a paragraph", "## Goal\nThis.\n", "That.", "## Goal\nThis.\n\nThat.\n"],
    ["fills an empty one", "## Goal\n\n## More\n", "- b", "## Goal\n\n- b\n\n## More\n"],
    ["closes a fence before it", "## Goal\n```\nx\n## Decisions\n", "b", "## Goal\n```\nx\n```\n\nb\n\n## Decisions\n"],
    ["keeps the file's own line ends", "## Goal\r\n- a\r\n", "- b\n- c", "## Goal\r\n- a\r\n- b\r\n- c\r\n"],
    ["adds what is missing", "", "- b", "## Goal\n\n- b\n"],
    ["adds nothing for nothing", "## Goal\n- a", " \n", "## Goal\n- a"],
  ])("%s", (_what, before, content, after) => {
    expect(appendToSection(before, "goal", content)).toBe(after);
  });
});

const piece = fc.oneof(
  fc.constantFrom(
    "# Goal",
    "## Goal",
    "## Decisions",
    "### Goal",
    "## Notes",
    "# Title",
    "  ## Resources ##",
    "```",
    "~~~~",
    "```js",
    "- item",
  ),
  fc.string({ unit: "grapheme", maxLength: 12 }),
);
const anyText = fc.tuple(fc.array(piece, { maxLength: 12 }), fc.constantFrom("\n", "\r\n")).map(([lines, eol]) => lines.join(eol));
const anySection = fc.constantFrom(...ContextSection.options);

describe("whatever a person wrote", () => {
  it("stays byte for byte around the section that is replaced, which is found again", () => {
    fc.assert(
      fc.property(anyText, anySection, anyText, (text, section, content) => {
        const span = findSection(text, section);

        const next = replaceSection(text, section, content);

        expect(next.startsWith(text.slice(0, span?.start ?? text.length))).toBe(true);
        expect(next.endsWith(text.slice(span?.end ?? text.length))).toBe(true);
        const found = findSection(next, section);
        expect(next.slice(found?.end)).toBe(text.slice(span?.end ?? text.length));
        expect(replaceSection(next, section, content)).toBe(next);
      }),
      { numRuns: 2_000 },
    );
  });

  it("stays, all of it, when something is appended, and what was appended belongs to the section", () => {
    fc.assert(
      fc.property(anyText, anySection, anyText, (text, section, content) => {
        const span = findSection(text, section);

        const next = appendToSection(text, section, content);

        expect(next.startsWith(text.slice(0, span?.end ?? text.length).trimEnd())).toBe(true);
        expect(next.endsWith(text.slice(span?.end ?? text.length))).toBe(true);
        expect(next.slice(findSection(next, section)?.end)).toBe(text.slice(span?.end ?? text.length));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["fences that nobody closes", "```a\n".repeat(100_000)],
    ["fences that are closed", "```\n".repeat(100_000)],
    ["headings", "## Goal\n".repeat(60_000)],
    ["one line", "#".repeat(500_000) + " ".repeat(500_000)],
    ["one line of spaces and marks", `# ${"# ".repeat(400_000)}`],
  ])("is read in good time, even a megabyte of %s", (_what, text) => {
    expect(replaceSection(text, "resources", "x").endsWith("## Resources\n\nx\n")).toBe(true);
  });
});
