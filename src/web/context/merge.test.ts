import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isClean, mergeContext, mergedText } from "./merge.ts";

const base = "# Work\n\n## Goal\n\nShip it.\n\n## Decisions\n\n- one\n- two\n";

describe("merging a context file", () => {
  it("keeps what both sides did in different places (REQ-GH1-34)", () => {
    const mine = base.replace("Ship it.", "Ship it on Monday.");
    const theirs = base.replace("- two\n", "- two\n- three\n");

    const regions = mergeContext({ base, mine, theirs });

    expect(isClean(regions)).toBe(true);
    expect(mergedText(regions, base)).toBe(base.replace("Ship it.", "Ship it on Monday.").replace("- two\n", "- two\n- three\n"));
  });

  it("shows both sides where they changed the same lines, and takes the person's choice", () => {
    const mine = base.replace("Ship it.", "Ship it on Monday.");
    const theirs = base.replace("Ship it.", "Do not ship it.");

    const regions = mergeContext({ base, mine, theirs });

    expect(regions.filter(({ kind }) => kind === "conflict")).toEqual([
      { kind: "conflict", base: ["Ship it."], mine: ["Ship it on Monday."], theirs: ["Do not ship it."] },
    ]);
    expect(mergedText(regions, base, ["mine"])).toBe(mine);
    expect(mergedText(regions, base, ["theirs"])).toBe(theirs);
    expect(mergedText(regions, base)).toBe(base.replace("Ship it.", "Ship it on Monday.\nDo not ship it."));
  });

  it("is at peace where both sides did the same", () => {
    const same = base.replace("two", "2");

    expect(mergedText(mergeContext({ base, mine: same, theirs: same }), base)).toBe(same);
  });

  it("does not take line ends for changes, and writes those the file has", () => {
    const onDisk = base.replaceAll("\n", "\r\n");
    const mine = base.replace("two", "2");

    const regions = mergeContext({ base: onDisk, mine, theirs: onDisk.replace("Ship", "Send") });

    expect(isClean(regions)).toBe(true);
    expect(mergedText(regions, onDisk)).toBe(onDisk.replace("two", "2").replace("Ship", "Send"));
  });

  it("hands over texts that are too long to compare as one conflict, at once", () => {
    const many = (word: string) => Array.from({ length: 50_000 }, (_, at) => (at % 2 === 0 ? "" : word)).join("\n");

    const regions = mergeContext({ base: many("a"), mine: many("b"), theirs: many("c") });

    expect(regions.some(({ kind }) => kind === "conflict")).toBe(true);
    expect(mergedText(regions, "", ["theirs"])).toBe(many("c"));
  });

  const line = fc.constantFrom("", "a", "b", "c", "constructor", "__proto__");
  const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join("\n"));

  it("gives back one side where only that side changed something, whatever the texts are", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(mergedText(mergeContext({ base: before, mine: after, theirs: before }), "")).toBe(after);
        expect(mergedText(mergeContext({ base: before, mine: before, theirs: after }), "")).toBe(after);
      }),
    );
  });

  it("loses no line that either side added", () => {
    fc.assert(
      fc.property(text, fc.nat(8), fc.nat(8), (before, at, other) => {
        const inserted = (position: number, added: string) => before.split("\n").toSpliced(position, 0, added).join("\n");

        const both = mergedText(mergeContext({ base: before, mine: inserted(at, "MINE"), theirs: inserted(other, "THEIRS") }), "");

        expect(both.split("\n")).toEqual(expect.arrayContaining(["MINE", "THEIRS"]));
        const rest = both.split("\n").filter((each) => each !== "MINE" && each !== "THEIRS");
        expect(rest).toEqual(expect.arrayContaining(before.split("\n")));
      }),
    );
  });
});
