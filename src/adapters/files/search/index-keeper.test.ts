import { appendFile, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { newSessionId } from "../../../schema/ids.ts";
import type { SessionId } from "../../../schema/ids.ts";
import type { Layout } from "../layout.ts";
import { createIndexKeeper } from "./index-keeper.ts";
import type { IndexKeeper } from "./index-keeper.ts";
import { homeWith, message, say } from "./search-home.testing.ts";

/** As its thread begins it. */
function begin(layout: Layout, problems: unknown[] = []): IndexKeeper {
  const keeper = createIndexKeeper({ layout, onProblem: (error) => problems.push(error) });
  void keeper.check();
  return keeper;
}

function open(layout: Layout, problems: unknown[] = []): IndexKeeper {
  const keeper = begin(layout, problems);
  onTestFinished(keeper.close);
  return keeper;
}

const found = (keeper: IndexKeeper, words: string) => keeper.find(words).map(({ session }) => session);

describe("the index of messages", () => {
  it("looks at what people and the model wrote, and not at what tools gave", async () => {
    const { layout, ids } = await homeWith([]);
    const blocks = [
      { type: "text", text: "I looked." },
      { type: "tool_use", id: "1", name: "Read", input: { path: "haystack" } },
      { type: "tool_result", id: "1", content: "needle", isError: false },
    ];
    await appendFile(layout.session(ids[0] ?? newSessionId()).messages, `${JSON.stringify({ ...message(""), blocks })}\n`);
    const keeper = open(layout);
    await keeper.settled();

    expect(found(keeper, "looked")).toEqual(ids);
    expect(found(keeper, "needle")).toEqual([]);
    expect(found(keeper, "haystack")).toEqual([]);
  });

  it("forgets a session that is gone, whoever removed it", async () => {
    const { layout, ids } = await homeWith(["a needle"], ["a needle"]);
    const keeper = open(layout);
    await keeper.settled();
    for (const id of ids) await rm(layout.session(id).folder, { recursive: true });
    keeper.changed(ids[0] ?? newSessionId());

    expect(found(keeper, "needle")).toEqual([ids[1]]);
    await keeper.check();
    expect(found(keeper, "needle")).toEqual([]);
  });

  it("comes to the end of a long conversation also where somebody searches while it is read", async () => {
    const { layout, ids } = await homeWith([...Array<string>(12).fill("hay ".repeat(25_000)), "a needle"]);
    const keeper = open(layout);
    keeper.changed(ids[0] ?? newSessionId());

    expect(found(keeper, "needle")).toEqual([]);
    await keeper.settled();

    expect(found(keeper, "needle")).toEqual(ids);
  });

  it("follows edits by hand while it runs and while it does not", async () => {
    const { layout, ids } = await homeWith(["a needle"], ["a nail"]);
    const edit = async (id: SessionId | undefined, from: string, to: string) => {
      const path = layout.session(id ?? newSessionId()).messages;
      await writeFile(path, (await readFile(path, "utf8")).replace(from, to));
    };
    const first = open(layout);
    await first.settled();
    await edit(ids[0], "needle", "spoon");
    await first.check();

    expect(found(first, "needle")).toEqual([]);
    expect(found(first, "spoon")).toEqual([ids[0]]);

    await first.close();
    await edit(ids[1], "nail", "fork");
    const second = open(layout);
    await second.settled();

    expect(found(second, "nail")).toEqual([]);
    expect(found(second, "fork")).toEqual([ids[1]]);
  });

  it("finds what reading every history would, after any appends, edits, cuts, removals and restarts", async () => {
    const word = fc.constantFrom("needle", "nail", "fork");
    const place = { session: fc.nat(3), text: word };
    const step = fc.oneof(
      fc.record({ do: fc.constant("append" as const), ...place }),
      fc.record({ do: fc.constant("rewrite" as const), ...place }),
      fc.record({ do: fc.constantFrom("cut" as const, "remove" as const, "tear" as const), ...place }),
      fc.record({ do: fc.constantFrom("restart" as const, "ask" as const), ...place }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const { layout, ids } = await homeWith(["a needle"], ["a nail"], [], ["a fork", "a nail"]);
        let keeper = begin(layout);

        for (const { do: what, session, text } of steps) {
          const id = ids[session] ?? newSessionId();
          const path = layout.session(id).messages;
          const before = await readFile(path, "utf8").catch(() => "");
          if (what === "append") await say(layout, id, text);
          if (what === "rewrite") await writeFile(path, before.replaceAll(/needle|nail|fork/g, text)).catch(() => undefined);
          if (what === "cut") await writeFile(path, before.split("\n").slice(1).join("\n")).catch(() => undefined);
          if (what === "tear") await appendFile(path, '{"id":"x","blocks":[{"type":"te').catch(() => undefined);
          if (what === "tear") await appendFile(path, "\n").catch(() => undefined);
          if (what === "remove") await rm(layout.session(id).folder, { recursive: true, force: true });
          if (what === "ask") keeper.find(text);
          if (what !== "restart") keeper.changed(id);
          else {
            await keeper.close();
            keeper = begin(layout);
          }
        }
        await keeper.settled();

        for (const text of ["needle", "nail", "fork"]) {
          const texts = await Promise.all(ids.map((id) => readFile(layout.session(id).messages, "utf8").catch(() => "")));
          const expected = ids.filter((_, at) => texts[at]?.includes(`a ${text}`) === true || texts[at]?.includes(`"${text}"`) === true);
          expect(found(keeper, text).toSorted()).toEqual(expected.toSorted());
        }
        await keeper.close();
      }),
      { numRuns: 15 },
    );
  });

  it("passes over broken lines, and over files that are no conversations", async () => {
    const { layout, ids } = await homeWith(["a needle"]);
    const path = layout.session(ids[0] ?? newSessionId()).messages;
    await appendFile(path, 'no json\n{"id":1}\nnull\n[]\n{"id":"x","blocks":[null,{"type":"text"}]}\n');
    await say(layout, ids[0], "a second needle");
    await mkdir(layout.session(newSessionId()).messages, { recursive: true });
    const problems: unknown[] = [];
    const keeper = open(layout, problems);
    await keeper.settled();

    const matches = keeper.show("needle", keeper.find("needle"));

    expect(matches).toMatchObject([{ text: "a second needle" }]);
    expect(String(problems[0])).toContain("EISDIR");
  });

  it.each([
    ["is nonsense", (path: string) => writeFile(path, "no database".repeat(1_000))],
    ["was cut off", async (path: string) => writeFile(path, (await readFile(path)).subarray(0, 5_000))],
    ["is broken in the middle", async (path: string) => writeFile(path, (await readFile(path)).fill(0x55, 4_096))],
    ["was deleted", (path: string) => rm(path)],
  ])("is made anew from the files where the index %s", async (_what, damage) => {
    const { layout, ids } = await homeWith(["a needle"], ["more"]);
    const before = open(layout);
    await before.settled();
    await before.close();
    await damage(layout.messageIndex);
    const keeper = open(layout);
    await keeper.settled();

    // What is broken in a place nobody has looked at yet is found out by the first who does.
    await expect.poll(() => found(keeper, "needle")).toEqual([ids[0]]);
  });

  it("is made anew where somebody deletes the index while it runs", async () => {
    const { layout, ids } = await homeWith(["a needle"]);
    const keeper = open(layout);
    await keeper.settled();
    await rm(layout.index, { recursive: true });
    await keeper.check();

    expect(found(keeper, "needle")).toEqual(ids);
    expect((await stat(layout.messageIndex)).mode & 0o777).toBe(0o600);
  });
});
