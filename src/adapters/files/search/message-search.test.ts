import { writeFile } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { newSessionId } from "../../../schema/ids.ts";
import type { Layout } from "../layout.ts";
import { openMessageSearch } from "./message-search.ts";
import type { MessageSearch } from "./message-search.ts";
import { homeWith, say } from "./search-home.testing.ts";

function open(layout: Layout, problems: unknown[] = []): MessageSearch {
  const search = openMessageSearch({ layout, onProblem: (error) => problems.push(error) });
  onTestFinished(search.close);
  return search;
}

const found = async (search: MessageSearch, words: string) => [...(await search.find(words)).keys()];

describe("search over messages", () => {
  it("finds what was said before it began, and what is said later, at once", async () => {
    const { layout, ids } = await homeWith(["A first question"], ["Something else"]);
    const search = open(layout);
    await search.settled();
    await say(layout, ids[1], "A late needle");
    search.changed(ids[1] ?? newSessionId());

    expect(await found(search, "first")).toEqual([ids[0]]);
    expect(await found(search, "needle")).toEqual([ids[1]]);
  });

  it("shows the last message that has the words", async () => {
    const { layout, ids } = await homeWith(["An old needle", "A new **needle** in hay", "and more"]);
    const search = open(layout);
    await search.settled();

    const matches = await search.show("needle", await search.find("needle"));

    expect(matches[ids[0] ?? ""]).toMatchObject({ text: "A new **needle** in hay", marks: [[8, 14]] });
  });

  it("finds nothing, and says why, where the index cannot be written", async () => {
    const { layout } = await homeWith(["a needle"]);
    await writeFile(layout.index, "a file where a folder belongs");
    const problems: unknown[] = [];
    const search = open(layout, problems);
    await search.settled();

    expect(await found(search, "needle")).toEqual([]);
    expect(problems.length).toBeGreaterThan(0);
  });
});
