import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparePositions } from "./entry.ts";
import type { Entry } from "./entry.ts";
import { createSortedBlocks } from "./sorted-blocks.ts";

const words = ["apple", "banana", "cherry", "rare"];
const entryOf = (number: number, version: number): Entry => ({
  name: `n${number}`,
  rank: String((number * 7919) % 1000).padStart(4, "0"),
  stamp: "",
  label: number % 3 === 0 ? "done" : "open",
  text: `${words[(number + version) % 3]} ${number === 5 ? "rare" : ""}`,
  packed: "",
});
const step = fc.record({
  do: fc.constantFrom("insert" as const, "remove" as const, "replace" as const),
  number: fc.nat(1_200),
  version: fc.nat(2),
});

describe("sorted blocks", () => {
  it("hold after any changes what a sorted list would, and a search passes over nothing that is wanted", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 200 }),
        fc.nat(1_300),
        fc.option(fc.subarray(["done", "open", "never"])),
        fc.subarray(words, { maxLength: 2 }),
        (steps, count, labels, wanted) => {
          const known = new Map(Array.from({ length: count }, (_, number) => [`n${number}`, entryOf(number, 0)]));
          const blocks = createSortedBlocks(known.values());
          const isWanted = (entry: Entry) =>
            (labels === null || labels.includes(entry.label)) && wanted.every((word) => entry.text.includes(word));
          const find = () => [...blocks.after(null, { labels, words: wanted })].filter(isWanted);
          find();
          for (const { do: what, number, version } of steps) {
            const entry = entryOf(number, version);
            if (known.has(entry.name) !== (what !== "insert")) continue;
            if (what === "remove") known.delete(entry.name);
            else known.set(entry.name, entry);
            blocks[what](entry);
          }

          const sorted = [...known.values()].sort(comparePositions);

          expect(blocks.all()).toEqual(sorted);
          expect(find()).toEqual(sorted.filter(isWanted));
          const middle = { rank: "0500", name: "n" };
          const rest = sorted.filter((entry) => comparePositions(entry, middle) > 0);
          expect([...blocks.after(middle, { labels: null, words: [] })]).toEqual(rest);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("are emptied and filled again", () => {
    const entries = Array.from({ length: 2_000 }, (_, number) => entryOf(number, 0));
    const blocks = createSortedBlocks([]);

    for (const entry of entries) blocks.insert(entry);
    for (const entry of entries) blocks.remove(entry);
    expect(blocks.all()).toEqual([]);
    for (const entry of entries.toReversed()) blocks.insert(entry);

    expect(blocks.all()).toEqual(entries.toSorted(comparePositions));
  });
});
