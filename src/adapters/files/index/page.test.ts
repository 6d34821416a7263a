import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEntryOrder } from "./entry-order.ts";
import type { Entry } from "./entry.ts";
import { createMoves } from "./moves.ts";
import { readPage } from "./page.ts";

const names = Array.from({ length: 12 }, (_, number) => `n${number}`);
const entry = (name: string, rank: number): Entry => ({
  name,
  rank: String(rank).padStart(2, "0"),
  stamp: "",
  label: rank % 2 === 0 ? "even" : "odd",
  text: "",
  packed: name,
});

function listOf(ranks: readonly number[], kept?: number) {
  const moves = createMoves(kept);
  const order = createEntryOrder(new Map(names.map((name, at) => [name, entry(name, ranks[at] ?? 0)])), moves.note);
  const page = (limit: number, cursor?: string, label?: string) =>
    readPage({ order, moves, unpack: ({ packed }) => packed }, { limit, cursor, labels: label === undefined ? undefined : [label] });
  return { order, page };
}

const ranks = fc.array(fc.nat(9), { minLength: names.length, maxLength: names.length });
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name: fc.constantFrom(...names), to: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constantFrom(...names, "new1", "new2"), to: fc.constant(null) }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constantFrom("new1", "new2"), to: fc.nat(9) }) },
);

describe("pages", () => {
  it("hold only what is asked for, and are as long as they may be", () => {
    const { order } = listOf(names.map((_, at) => at));
    const moves = createMoves();
    const page = (cursor?: string) =>
      readPage({ order, moves, unpack: ({ packed }) => packed }, { limit: 3, cursor, where: ({ packed }) => /[02468]$/.test(packed) });

    const first = page();
    const second = page(first.nextCursor ?? "");

    expect([first.values, second.values]).toEqual([
      ["n10", "n8", "n6"],
      ["n4", "n2", "n0"],
    ]);
    expect(second.nextCursor).toBeNull();
  });

  it("show each entry exactly once, in the order of the beginning, while entries move, come and go between them", () => {
    fc.assert(
      fc.property(ranks, fc.integer({ min: 1, max: 5 }), fc.array(fc.array(change, { maxLength: 5 })), (initial, limit, betweenPages) => {
        const { order, page } = listOf(initial);
        const before = order.all().map(({ name }) => name);
        const removed = new Set<string>();
        const seen: string[] = [];
        let cursor: string | undefined;

        for (let number = 0; ; number += 1) {
          const { values, nextCursor } = page(limit, cursor);
          seen.push(...values);
          if (nextCursor === null) break;
          cursor = nextCursor;
          for (const { name, to } of betweenPages[number] ?? []) {
            if (to !== null) order.put(entry(name, to));
            else if (order.remove(name)) removed.add(name);
          }
        }

        expect(new Set(seen).size).toBe(seen.length);
        expect(before.filter((name) => !seen.includes(name) && !removed.has(name))).toEqual([]);
        const old = seen.filter((name) => before.includes(name));
        expect(old).toEqual(before.filter((name) => old.includes(name)));
      }),
      { numRuns: 1_000 },
    );
  });

  it("of one label hold that label alone, and end when there are no more", () => {
    fc.assert(
      fc.property(ranks, fc.integer({ min: 1, max: 5 }), (initial, limit) => {
        const { order, page } = listOf(initial);
        const seen: string[] = [];

        for (let cursor: string | undefined; ;) {
          const { values, nextCursor } = page(limit, cursor, "odd");
          seen.push(...values);
          if (nextCursor === null) break;
          cursor = nextCursor;
        }

        const odd = order.all().filter(({ label }) => label === "odd");
        expect(seen).toEqual(odd.map(({ name }) => name));
      }),
    );
  });

  it("of a search hold what is found by its text or elsewhere, each once and in order, while entries move between pages", () => {
    const elsewhere = fc.uniqueArray(fc.constantFrom(...names, "unknown"));
    const texts = fc.array(fc.constantFrom("needle", "hay"), { minLength: names.length, maxLength: names.length });
    fc.assert(
      fc.property(ranks, texts, elsewhere, fc.integer({ min: 1, max: 5 }), fc.array(change), (initial, said, also, limit, changes) => {
        const moves = createMoves();
        const entries = names.map((name, at) => ({ ...entry(name, initial[at] ?? 0), text: said[at] ?? "" }));
        const order = createEntryOrder(new Map(entries.map((each) => [each.name, each])), moves.note);
        const wanted = order.all().filter(({ name, text, label }) => label === "odd" && (text === "needle" || also.includes(name)));
        const seen: string[] = [];

        for (let cursor: string | undefined, number = 0; ; number += 1) {
          const query = { limit, cursor, labels: ["odd"], search: "needle", also: new Set(also) };
          const { values, nextCursor } = readPage({ order, moves, unpack: ({ packed }) => packed }, query);
          seen.push(...values);
          if (nextCursor === null) break;
          cursor = nextCursor;
          const moving = order.get(changes[number]?.name ?? "");
          if (moving !== undefined) order.put({ ...moving, rank: String(changes[number]?.to ?? 0).padStart(2, "0") });
        }

        expect(seen).toEqual(wanted.map(({ name }) => name));
      }),
      { numRuns: 500 },
    );
  });

  it("go on by place alone for a reader who is slower than what is remembered, or comes from before a restart", () => {
    const slow = listOf(names.keys().toArray(), 2);
    const restarted = listOf(names.keys().toArray());
    const { nextCursor } = slow.page(4);
    for (let rank = 20; rank < 30; rank += 1) slow.order.put(entry("n0", rank));

    expect(slow.page(20, nextCursor ?? "").values).toEqual(["n7", "n6", "n5", "n4", "n3", "n2", "n1"]);
    expect(restarted.page(20, nextCursor ?? "").values).toEqual(["n7", "n6", "n5", "n4", "n3", "n2", "n1", "n0"]);
  });
});
