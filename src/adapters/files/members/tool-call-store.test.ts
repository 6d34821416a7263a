import { appendFile, readFile, stat, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemberName, newToolCallId } from "../../../schema/ids.ts";
import type { ToolCall, ToolCallList } from "../../../schema/tool-call.ts";
import { createSmallDisk } from "../failing-disk.testing.ts";
import { failureOf } from "../failure-of.testing.ts";
import { memberHome, modeOf } from "./member-home.testing.ts";
import { createToolCallStore } from "./tool-call-store.ts";

const callOf = (change: Partial<ToolCall> = {}): ToolCall => ({
  id: newToolCallId(),
  member: MemberName.parse("writer"),
  tool: "echo",
  input: { text: "hello" },
  name: null,
  at: "2026-01-05T09:00:30.000Z",
  outcome: { isError: false, durationMs: 12, summary: "hello" },
  ...change,
});
const saved = (name: string): ToolCall => callOf({ name, outcome: null });

async function givenStore() {
  const home = await memberHome();
  return { ...home, store: createToolCallStore(home), again: () => createToolCallStore(home) };
}

describe("tool calls", () => {
  it("come back newest first, saved and made ones, also after a restart; for this user only (SEC-16)", async () => {
    const { store, again, layout } = await givenStore();
    const calls = [callOf(), saved("Say hello"), callOf({ tool: "other" })];
    for (const call of calls) await store.add(call);

    const listed = await store.list({ limit: 50 });

    expect(listed).toEqual({ calls: calls.toReversed(), nextCursor: null });
    expect(await again().list({ limit: 50 })).toEqual(listed);
    expect([await modeOf(layout.toolCalls), await modeOf(layout.savedCalls)]).toEqual(["600", "600"]);
  });

  it("are asked for by member, by tool, and by whether they are saved", async () => {
    const { store } = await givenStore();
    const editor = MemberName.parse("editor");
    const [made, kept, others] = [callOf(), saved("Mine"), callOf({ member: editor, tool: "cut" })];
    for (const call of [made, kept, others]) await store.add(call);

    expect((await store.list({ limit: 50, member: editor })).calls).toEqual([others]);
    expect((await store.list({ limit: 50, tool: "echo" })).calls).toEqual([kept, made]);
    expect((await store.list({ limit: 50, saved: "true" })).calls).toEqual([kept]);
    expect((await store.list({ limit: 50, saved: "false" })).calls).toEqual([others, made]);
  });

  it("come page by page, each once, whatever is added or deleted meanwhile", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 15 }), fc.integer({ min: 1, max: 5 }), async (kinds, limit) => {
        const { store } = await givenStore();
        const calls = kinds.map((isSaved) => (isSaved ? saved("x") : callOf()));
        for (const call of calls) await store.add(call);

        const seen: ToolCall[] = [];
        for (let cursor: string | null | undefined; cursor !== null;) {
          const page: ToolCallList = await store.list({ limit, cursor });
          seen.push(...page.calls);
          cursor = page.nextCursor;
          await store.add(callOf());
          const last = page.calls.at(-1);
          if (last !== undefined) await store.remove(last.id);
        }

        expect(seen).toEqual(calls.toReversed());
      }),
      { numRuns: 10 },
    );
  });

  it("with a cursor that the hall never gave are refused", async () => {
    const { store } = await givenStore();

    expect((await failureOf(store.list({ limit: 5, cursor: "../../etc" }))).code).toBe("bad_request");
  });

  it("are deleted once, made or saved, and stay deleted", async () => {
    const { store, again } = await givenStore();
    const [made, kept] = [callOf(), saved("Mine")];
    await store.add(made);
    await store.add(kept);

    const outcomes = [await store.remove(made.id), await store.remove(kept.id), await store.remove(made.id)];

    expect(outcomes).toEqual([true, true, false]);
    expect((await again().list({ limit: 50 })).calls).toEqual([]);
  });

  it("that were made are the newest 500, in a file that does not grow without end", async () => {
    const { store, again, layout } = await givenStore();
    const calls = Array.from({ length: 1100 }, () => callOf());

    await Promise.all(calls.map((call) => store.add(call)));

    const { calls: kept } = await again().list({ limit: 1000 });
    expect(kept).toEqual(calls.slice(-500).toReversed());
    expect((await readFile(layout.toolCalls, "utf8")).split("\n").length).toBeLessThan(1002);
  });

  it("that are large push out older ones and are kept whole", async () => {
    const { store, layout } = await givenStore();
    const large = () => callOf({ input: { text: "x".repeat(1_000_000) } });

    for (let count = 0; count < 20; count += 1) await store.add(large());

    const { calls } = await store.list({ limit: 500 });
    expect(calls).toHaveLength(8);
    expect(calls.every(({ input }) => String(input["text"]).length === 1_000_000)).toBe(true);
    expect((await stat(layout.toolCalls)).size).toBeLessThan(18_000_000);
  });

  it("that are saved have a limit, which is told", async () => {
    const { store } = await givenStore();
    const large = () => callOf({ name: "Large", input: { text: "x".repeat(4_000_000) } });
    for (let count = 0; count < 4; count += 1) await store.add(large());

    expect((await failureOf(store.add(large()))).code).toBe("too_large");
  });

  it("on broken lines are left out and reported, and the lines are kept", async () => {
    const { store, again, layout, problems } = await givenStore();
    const [one, two] = [callOf(), callOf()];
    await store.add(one);
    await appendFile(layout.toolCalls, "not a call\n");

    const after = again();
    await after.add(two);
    const listed = await after.list({ limit: 50 });
    await after.remove(one.id);

    expect(listed.calls).toEqual([two, one]);
    expect(problems.map(String).join()).toContain("tool-calls.jsonl line 2 is not a JSON object");
    expect(await readFile(layout.brokenToolCalls, "utf8")).toBe("not a call\n");
    expect(await readFile(layout.toolCalls, "utf8")).toBe(`${JSON.stringify(two)}\n`);
  });

  it("after a line that a crash cut off are whole", async () => {
    const { store, again, layout, problems } = await givenStore();
    const [one, two] = [callOf(), callOf()];
    await store.add(one);
    await appendFile(layout.toolCalls, '{"id":"call_0');

    await again().add(two);

    expect((await again().list({ limit: 50 })).calls).toEqual([two, one]);
    expect(problems.map(String)).toEqual([
      expect.stringContaining("line 2 was cut off after 13 bytes"),
      expect.stringContaining("line 2 is not a JSON object"),
    ]);
  });

  it("in a broken file of saved ones are hidden, reported and never overwritten; history goes on", async () => {
    const { store, layout, problems } = await givenStore();
    const made = callOf();
    await writeFile(layout.savedCalls, "{ torn");

    await store.add(made);
    const failure = await failureOf(store.add(saved("Mine")));

    expect((await store.list({ limit: 50 })).calls).toEqual([made]);
    expect(failure.code).toBe("file_broken");
    expect(problems).toMatchObject([{ code: "file_broken" }]);
    expect(await readFile(layout.savedCalls, "utf8")).toBe("{ torn");
  });

  it("that do not fit on the disk are refused, and the others are there", async () => {
    const home = await memberHome();
    const one = callOf();
    await createToolCallStore(home).add(one);
    const store = createToolCallStore({ ...home, disk: createSmallDisk(50) });

    const failures = [await failureOf(store.add(callOf())), await failureOf(store.add(saved("Mine")))];

    expect(failures.map(({ code }) => code)).toEqual(["disk_full", "disk_full"]);
    expect((await store.list({ limit: 50 })).calls).toEqual([one]);
  });
});
