import { mkdir, readdir, readFile, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCompaction } from "../../guild-members/researcher/compact-memory.ts";
import type { Condense, Condensed } from "../../guild-members/researcher/compact-memory.ts";
import { checkKey, createMemory } from "../../guild-members/researcher/memory.ts";
import type { Memory } from "../../guild-members/researcher/memory.ts";
import { recall } from "../../guild-members/researcher/recall.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** A memory with these notes, the first one the newest. */
async function memoryOf(notes: Record<string, string> = {}): Promise<Memory> {
  const memory = createMemory(join(await temporaryFolder(), "memory"));
  await mkdir(memory.folder);
  for (const [index, [name, text]] of Object.entries(notes).entries()) {
    await writeFile(join(memory.folder, name), text);
    await utimes(join(memory.folder, name), 2_000_000_000 - index, 2_000_000_000 - index);
  }
  return memory;
}

const read = (memory: Memory, name: string) => readFile(join(memory.folder, name), "utf8");

/** Null for a key that is refused. */
function keptAs(given: string): string | null {
  try {
    return checkKey(given);
  } catch {
    return null;
  }
}

describe("the researcher's memory", () => {
  it("is written under a key, in a folder made when needed, and overwritten under the same one (REQ-WD-26, REQ-WD-29)", async () => {
    const memory = createMemory(join(await temporaryFolder(), "memory"));

    const before = await memory.notes();
    await memory.store("Sources_1", "old");
    const kept = await memory.store("sources_1", "new");

    expect(before).toEqual([]);
    expect(kept).toBe("sources_1");
    expect(await memory.notes()).toEqual([{ name: "sources_1.md", text: "new" }]);
  });

  it("takes no key that is not safe as the name of a file everywhere (REQ-WD-29, SEC-8)", async () => {
    const parent = await temporaryFolder();
    const memory = createMemory(join(parent, "memory"));
    const nasty = [
      "..",
      "../x",
      "/etc/x",
      "a/b",
      "a\\b",
      "a\0",
      ".x",
      "-x",
      "\u212a",
      "ä",
      "a b",
      "a.b",
      "compacted",
      "COMPACTED",
      "",
      "a".repeat(65),
    ];
    const letters = ["a", "Z", "0", "9", "_", "-", ".", "/", "\\", " ", "\0", "\n", "ä", "\u212a", "\u202e", "😀"];
    const key = fc.string({
      unit: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...letters.slice(0, 6)) }, fc.constantFrom(...letters)),
      maxLength: 70,
    });

    const refusals = await Promise.allSettled(nasty.map((given) => memory.store(given, "text")));

    expect(refusals.map(({ status }) => status)).toEqual(nasty.map(() => "rejected"));
    expect(await readdir(parent)).toEqual([]);
    fc.assert(
      fc.property(key, (given) => {
        const isSafe = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(given) && given.toLowerCase() !== "compacted";
        expect(keptAs(given)).toBe(isSafe ? given.toLowerCase() : null);
      }),
      { numRuns: 200 },
    );
  });

  it("refuses to keep nothing, or a book", async () => {
    const memory = await memoryOf();

    await expect(memory.store("a", " \n")).rejects.toThrow("empty");
    await expect(memory.store("a", "x".repeat(20_001))).rejects.toThrow("20000");
  });

  it("is recalled newest first, in whole notes, up to the limit (REQ-WD-28)", async () => {
    const memory = await memoryOf({
      "new.md": "n".repeat(50),
      "long.md": "l".repeat(500),
      "old.md": "o".repeat(50),
      "older.md": "p".repeat(50),
    });
    const notes = await memory.notes();

    const all = recall(notes, 10_000);
    const some = recall(notes, 150);

    expect(all.text.match(/### \w+/g)).toEqual(["### new", "### long", "### old", "### older"]);
    expect(some.text).toBe(`### new\n\n${"n".repeat(50)}\n\n---\n\n### old\n\n${"o".repeat(50)}`);
    expect(some.leftOut).toEqual(["long.md", "older.md"]);
    expect(recall([], 100)).toEqual({ text: "", leftOut: [] });
  });

  it("is recalled with what was condensed before, however much came since (REQ-WD-28)", () => {
    const since = Array.from({ length: 10 }, (_, index) => ({ name: `new-${index}.md`, text: "n".repeat(50) }));

    const { text, leftOut } = recall([...since, { name: "compacted.md", text: "c".repeat(50) }], 300);

    expect(text.match(/### [\w-]+/g)).toEqual(["### new-0", "### new-1", "### new-2", "### compacted"]);
    expect(leftOut).toEqual(since.slice(3).map(({ name }) => name));
  });

  it("never recalls more than the limit, nor part of a note", () => {
    const note = fc.record({ name: fc.constantFrom("a.md", "b.md", "compacted.md"), text: fc.string({ maxLength: 200 }) });

    fc.assert(
      fc.property(fc.array(note, { maxLength: 20 }), fc.nat(1_000), (notes, limit) => {
        const { text, leftOut } = recall(notes, limit);
        expect(text.length).toBeLessThanOrEqual(limit);
        for (const note of notes.filter(({ name }) => !leftOut.includes(name))) expect(text).toContain(note.text.trim());
      }),
    );
  });

  it("does not read through links, nor what is not a note", async () => {
    const memory = await memoryOf({ "a.md": "a", "b.txt": "b", ".hidden.md": "c" });
    await symlink("/etc/hostname", join(memory.folder, "link.md"));
    await mkdir(join(memory.folder, "folder.md"));

    expect(await memory.notes()).toEqual([{ name: "a.md", text: "a" }]);
  });
});

describe("condensing the memory", () => {
  const limits = { above: 100, atMost: 80, model: null };
  const notes = { "a.md": "a".repeat(60), "b.md": "b".repeat(60), "compacted.md": "before" };

  const saying = (text: string): Condensed => ({ text, costUsd: 0.25 });

  /** What was told of it. */
  async function compact(memory: Memory, condense: Condense): Promise<string[]> {
    const reports: string[] = [];
    const compaction = createCompaction({ memory, limits, condense });
    compaction.consider((report) => reports.push(report));
    await compaction.settled();
    return reports;
  }

  it("puts one note in the place of all, what was condensed before too, and keeps a copy of each (REQ-WD-26)", async () => {
    const memory = await memoryOf(notes);
    let asked: readonly { name: string }[] = [];

    const reports = await compact(memory, async (given) => {
      asked = given;
      return saying(" short ");
    });

    expect(reports).toEqual(["The memory was condensed from 126 to 5 characters. It cost $0.25."]);
    expect(asked.map(({ name }) => name)).toEqual(["a.md", "b.md", "compacted.md"]);
    expect(await memory.notes()).toEqual([{ name: "compacted.md", text: "short\n" }]);
    const [time = ""] = await readdir(join(memory.folder, ".backup"));
    expect((await readdir(join(memory.folder, ".backup", time))).toSorted()).toEqual(["a.md", "b.md", "compacted.md"]);
    expect(await read(memory, join(".backup", time, "compacted.md"))).toBe("before");
    expect(await read(memory, join(".backup", time, "a.md"))).toBe(notes["a.md"]);
  });

  it("loses nothing that was written meanwhile", async () => {
    const memory = await memoryOf(notes);

    await compact(memory, async () => {
      await memory.store("a", "changed");
      await memory.store("c", "new");
      return saying("short");
    });

    const left = (await memory.notes()).toSorted((one, other) => (one.name < other.name ? -1 : 1));
    expect(left).toEqual([
      { name: "a.md", text: "changed" },
      { name: "c.md", text: "new" },
      { name: "compacted.md", text: "short\n" },
    ]);
  });

  it.each<[string, Condense]>([
    ["cannot be asked", () => Promise.reject(new Error("No room."))],
    ["fails", () => Promise.resolve({ text: null, reason: "No money.", costUsd: 0.25 })],
    ["says nothing", () => Promise.resolve(saying(" "))],
    ["says more than fits", () => Promise.resolve(saying("x".repeat(81)))],
  ])("leaves all as it was when the model %s, and says so", async (_, condense) => {
    const memory = await memoryOf(notes);
    const before = await memory.notes();

    const reports = await compact(memory, condense);

    expect(reports).toEqual([expect.stringMatching(/was not condensed\. (No room\.$|.* It cost \$0\.25\.$)/)]);
    expect(await memory.notes()).toEqual(before);
    expect(await readdir(memory.folder)).not.toContain(".backup");
  });

  it("leaves all as it was when a person wrote to the condensed note meanwhile", async () => {
    const memory = await memoryOf(notes);

    const reports = await compact(memory, async () => {
      await writeFile(join(memory.folder, "compacted.md"), "by hand");
      return saying("short");
    });

    expect(reports).toEqual([expect.stringContaining("meanwhile")]);
    expect(await read(memory, "compacted.md")).toBe("by hand");
    expect(await read(memory, "a.md")).toBe(notes["a.md"]);
  });

  it("happens only above the limit, one at a time, and after a failure not again for an hour", async () => {
    const memory = await memoryOf({ "a.md": "a".repeat(60) });
    const answer = Promise.withResolvers<Condensed>();
    let [asked, clock] = [0, 1_000_000];
    const compaction = createCompaction({
      memory,
      limits,
      condense: () => {
        asked += 1;
        return asked === 1 ? answer.promise : Promise.resolve(saying("short"));
      },
      now: () => clock,
    });
    const counts: number[] = [];
    const consider = () => compaction.consider(() => undefined);

    consider();
    await compaction.settled();
    counts.push(asked);
    await memory.store("b", "b".repeat(60));
    consider();
    consider();
    await expect.poll(() => asked).toBe(1);
    consider();
    answer.reject(new Error("No."));
    await compaction.settled();
    counts.push(asked);
    clock += 59 * 60_000;
    consider();
    await compaction.settled();
    counts.push(asked);
    clock += 60_000;
    consider();
    await compaction.settled();

    expect(counts).toEqual([0, 1, 1]);
    expect(asked).toBe(2);
    expect((await memory.notes()).map(({ name }) => name)).toEqual(["compacted.md"]);
  });

  it("keeps what was condensed the last twenty times, and no more", async () => {
    const memory = await memoryOf();
    const backups = join(memory.folder, ".backup");
    for (let day = 1; day <= 25; day += 1)
      await mkdir(join(backups, `2026-01-${String(day).padStart(2, "0")}T00-00-00.000Z`), { recursive: true });

    await memory.replace([], "short\n", new Date("2026-02-01T00:00:00Z"));

    const kept = (await readdir(backups)).toSorted();
    expect(kept).toHaveLength(20);
    expect([kept[0], kept.at(-1)]).toEqual(["2026-01-07T00-00-00.000Z", "2026-02-01T00-00-00.000Z"]);
  });
});
