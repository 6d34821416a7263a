import { appendFile, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { newMessageId, newSessionId } from "../../../schema/ids.ts";
import type { SessionId } from "../../../schema/ids.ts";
import type { Message } from "../../../schema/session.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { createLayout } from "../layout.ts";
import type { Layout } from "../layout.ts";
import { openMessageSearch } from "./message-search.ts";
import type { MessageSearch } from "./message-search.ts";

const at = "2026-01-01T00:00:00.000Z";
const message = (text: string): Message => ({ id: newMessageId(), role: "user", at, blocks: [{ type: "text", text }] });

async function homeWith(...sessions: string[][]): Promise<{ layout: Layout; ids: SessionId[] }> {
  const layout = createLayout(await temporaryFolder());
  await mkdir(layout.sessions);
  const ids = sessions.map(() => newSessionId());
  for (const [number, texts] of sessions.entries()) await say(layout, ids[number], ...texts);
  return { layout, ids };
}

async function say(layout: Layout, id: SessionId | undefined, ...texts: string[]): Promise<void> {
  if (id === undefined) return;
  await mkdir(layout.session(id).folder, { recursive: true });
  await appendFile(layout.session(id).messages, texts.map((text) => `${JSON.stringify(message(text))}\n`).join(""));
}

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

  it("looks at what people and the model wrote, and not at what tools gave", async () => {
    const { layout, ids } = await homeWith([]);
    const blocks = [
      { type: "text", text: "I looked." },
      { type: "tool_use", id: "1", name: "Read", input: { path: "haystack" } },
      { type: "tool_result", id: "1", content: "needle", isError: false },
    ];
    await appendFile(layout.session(ids[0] ?? newSessionId()).messages, `${JSON.stringify({ ...message(""), blocks })}\n`);
    const search = open(layout);
    await search.settled();

    expect(await found(search, "looked")).toEqual(ids);
    expect(await found(search, "needle")).toEqual([]);
    expect(await found(search, "haystack")).toEqual([]);
  });

  it("forgets a session that is gone, whoever removed it", async () => {
    const { layout, ids } = await homeWith(["a needle"], ["a needle"]);
    const search = open(layout);
    await search.settled();
    for (const id of ids) await rm(layout.session(id).folder, { recursive: true });
    search.changed(ids[0] ?? newSessionId());

    expect(await found(search, "needle")).toEqual([ids[1]]);
    await search.check();
    expect(await found(search, "needle")).toEqual([]);
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

    expect(await found(first, "needle")).toEqual([]);
    expect(await found(first, "spoon")).toEqual([ids[0]]);

    await first.close();
    await edit(ids[1], "nail", "fork");
    const second = open(layout);
    await second.settled();

    expect(await found(second, "nail")).toEqual([]);
    expect(await found(second, "fork")).toEqual([ids[1]]);
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
        let search = openMessageSearch({ layout });

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
          if (what === "ask") await search.find(text);
          if (what !== "restart") search.changed(id);
          else {
            await search.close();
            search = openMessageSearch({ layout });
          }
        }
        await search.settled();

        for (const text of ["needle", "nail", "fork"]) {
          const texts = await Promise.all(ids.map((id) => readFile(layout.session(id).messages, "utf8").catch(() => "")));
          const expected = ids.filter((_, at) => texts[at]?.includes(`a ${text}`) === true || texts[at]?.includes(`"${text}"`) === true);
          expect((await found(search, text)).toSorted()).toEqual(expected.toSorted());
        }
        await search.close();
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
    const search = open(layout, problems);
    await search.settled();

    const matches = await search.show("needle", await search.find("needle"));

    expect(Object.values(matches)).toMatchObject([{ text: "a second needle" }]);
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
    const search = open(layout);
    await search.settled();

    // What is broken in a place nobody has looked at yet is found out by the first who does.
    await expect.poll(() => found(search, "needle")).toEqual([ids[0]]);
  });

  it("is made anew where somebody deletes the index while it runs", async () => {
    const { layout, ids } = await homeWith(["a needle"]);
    const search = open(layout);
    await search.settled();
    await rm(layout.index, { recursive: true });
    await search.check();

    expect(await found(search, "needle")).toEqual(ids);
    expect((await stat(layout.messageIndex)).mode & 0o777).toBe(0o600);
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
