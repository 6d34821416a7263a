import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEntryOrder } from "./entry-order.ts";
import type { Entry } from "./entry.ts";

const entry = fc.record({
  name: fc.constantFrom("a", "b", "c", "d", "e", "f", "g"),
  rank: fc.constantFrom("0", "1", "2", "3"),
  stamp: fc.constant(""),
  label: fc.constantFrom("done", "open"),
  text: fc.constant(""),
  packed: fc.string(),
});
const step = fc.oneof(
  entry.map((put) => ({ put })),
  fc.constantFrom("a", "b", "c", "d", "e", "f", "g").map((remove) => ({ remove })),
);

function naive(steps: readonly ({ put: Entry } | { remove: string })[]): Entry[] {
  const known = new Map<string, Entry>();
  for (const each of steps) {
    if ("put" in each) known.set(each.put.name, each.put);
    else known.delete(each.remove);
  }
  return [...known.values()].sort((a, b) => (a.rank === b.rank ? (a.name < b.name ? 1 : -1) : a.rank < b.rank ? 1 : -1));
}

const everything = { labels: null, words: [] };

describe("the order of entries", () => {
  it("is after any changes what sorting all of them would give", () => {
    fc.assert(
      fc.property(fc.array(entry), fc.array(step), (initial, steps) => {
        const order = createEntryOrder(new Map(initial.map((each) => [each.name, each])));
        for (const each of steps) {
          if ("put" in each) order.put(each.put);
          else order.remove(each.remove);
        }

        const expected = naive([...initial.map((put) => ({ put })), ...steps]);

        expect([...order.after(null, everything)]).toEqual(expected);
        expect(order.size()).toBe(expected.length);
        for (const label of ["done", "open"])
          expect(order.counts().get(label) ?? 0).toBe(expected.filter((each) => each.label === label).length);
      }),
    );
  });

  it("goes on after any position, also one whose entry is gone", () => {
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: ({ name }) => name, minLength: 1 }), fc.nat(), fc.boolean(), (entries, at, isGone) => {
        const order = createEntryOrder(new Map(entries.map((each) => [each.name, each])));
        const all = order.all();
        const place = all[at % all.length];
        if (place === undefined) return;
        if (isGone) order.remove(place.name);

        const rest = [...order.after(place, everything)];

        expect(rest).toEqual(all.slice(all.indexOf(place) + 1));
      }),
    );
  });
});
