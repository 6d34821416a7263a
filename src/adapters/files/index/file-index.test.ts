import { mkdir, readFile, readdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { openFileIndex } from "./file-index.ts";
import type { FileIndex, FileIndexOptions } from "./file-index.ts";

type Note = { name: string; rank: string; text: string };

type Told = Partial<Pick<FileIndexOptions<Note>, "onFound" | "onProblem" | "journalLines">> & { packing?: string };

const open = (folder: string, { packing = "", ...told }: Told = {}): Promise<FileIndex<Note>> =>
  openFileIndex<Note>({
    folder: join(folder, ".index"),
    kind: "notes",
    truth: {
      folder: join(folder, "notes"),
      isName: (name) => /^n\d$/.test(name),
      pathOf: (name) => join(folder, "notes", name),
      read: async (name) => {
        const [rank = "", text = ""] = (await readFile(join(folder, "notes", name), "utf8")).split(" ");
        return { name, rank, text };
      },
      rankOf: ({ rank }) => rank,
      labelOf: ({ text }) => text,
      textOf: ({ text }) => text,
      pack: JSON.stringify,
      unpack: ({ packed }) => JSON.parse(packed) as Note, // as it was packed
      packing,
    },
    onProblem: (error) => expect.unreachable(String(error)),
    ...told,
  });

async function withNotes(): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "notes"));
  return folder;
}

const write = (folder: string, name: string, content: string) => writeFile(join(folder, "notes", name), content);

async function naive(folder: string): Promise<Note[]> {
  const notes: Note[] = [];
  for (const name of await readdir(join(folder, "notes"))) {
    const [rank = "", text = ""] = (await readFile(join(folder, "notes", name), "utf8")).split(" ");
    notes.push({ name, rank, text });
  }
  return notes.sort((a, b) => (a.rank === b.rank ? (a.name < b.name ? 1 : -1) : a.rank < b.rank ? 1 : -1));
}

function pages(index: FileIndex<Note>, limit: number): Note[] {
  const seen: Note[] = [];
  for (let cursor: string | undefined; ;) {
    const { values, nextCursor } = index.page({ limit, cursor });
    seen.push(...values);
    if (nextCursor === null) return seen;
    cursor = nextCursor;
  }
}

describe("the index", () => {
  it("answers like reading every file, after any writes, hand edits, crashes and restarts", async () => {
    const name = fc.constantFrom("n0", "n1", "n2", "n3", "n4");
    const content = fc
      .tuple(
        fc.constantFrom("1", "2", "3"),
        fc.string({ maxLength: 4 }).map((text) => text.replaceAll(/\s/g, "")),
      )
      .map((parts) => parts.join(" "));
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ do: fc.constant("write" as const), name, content }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("by hand" as const), name, content }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), name }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("restart" as const), keep: fc.double({ min: 0, max: 1, noNaN: true }) }) },
      { weight: 1, arbitrary: fc.constant({ do: "delete the index" as const }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), fc.integer({ min: 1, max: 4 }), async (steps, limit) => {
        const folder = await withNotes();
        // Deleting the index under its feet is worth a line in the log, and no more.
        const told = { onProblem: () => undefined };
        let index = await open(folder, told);
        for (const each of steps) {
          if (each.do === "write" || each.do === "by hand") await write(folder, each.name, each.content);
          if (each.do === "remove") await rm(join(folder, "notes", each.name), { force: true });
          if (each.do === "write" || each.do === "remove") await index.lookAt(each.name);
          if (each.do === "delete the index") await rm(join(folder, ".index"), { recursive: true, force: true, maxRetries: 20 });
          if (each.do === "restart") {
            await index.close();
            await cutFiles(join(folder, ".index"), each.keep);
            index = await open(folder, told);
          }
        }
        await index.settled();
        await index.check();

        expect(pages(index, limit)).toEqual(await naive(folder));
        await index.close();
      }),
      { numRuns: 25 },
    );
  });

  it("comes back from a snapshot and a journal that are cut off anywhere", async () => {
    const folder = await withNotes();
    const first = await open(folder);
    for (const name of ["n0", "n1"]) await write(folder, name, `1 ${name}`);
    await first.check();
    await first.close();
    await write(folder, "n1", "2 changed");
    const second = await open(folder);
    await second.settled();
    await second.close();
    const files = await Promise.all(
      (await readdir(join(folder, ".index"))).map(async (name) => ({ name, bytes: await readFile(join(folder, ".index", name)) })),
    );
    const expected = await naive(folder);

    // A prime number of bytes apart: lines of all lengths are cut at another place each.
    const cuts = files
      .flatMap(({ name, bytes }) => Array.from(bytes, (_, length) => ({ name, length })))
      .filter(({ length }) => length % 7 === 0);
    const cutOff = async ({ name, length }: { name: string; length: number }) => {
      const copy = join(folder, `${name}-${length}`);
      await mkdir(join(copy, ".index"), { recursive: true });
      // The very same notes, or the index would not believe itself anyway.
      await symlink(join(folder, "notes"), join(copy, "notes"));
      for (const file of files)
        await writeFile(join(copy, ".index", file.name), file.name === name ? file.bytes.subarray(0, length) : file.bytes);
      const index = await open(copy);
      await index.settled();
      const found = pages(index, 2);
      await index.close();
      return found;
    };

    // Several at a time: most of it is waiting for the disk.
    while (cuts.length > 0) for (const found of await Promise.all(cuts.splice(0, 16).map(cutOff))) expect(found).toEqual(expected);
    expect(files.length).toBeGreaterThanOrEqual(2);
  });

  it("does not believe a flipped byte", async () => {
    const folder = await withNotes();
    const first = await open(folder);
    await write(folder, "n0", "1 true");
    await first.check();
    await first.close();
    const [snapshot = ""] = (await readdir(join(folder, ".index"))).filter((name) => name.endsWith(".snapshot"));
    const path = join(folder, ".index", snapshot);
    await writeFile(path, (await readFile(path, "utf8")).replace("true", "lies"));

    const index = await open(folder);
    await index.settled();

    expect(pages(index, 10)).toMatchObject([{ text: "true" }]);
    await index.close();
  });

  it("answers from the snapshot at once, before it has looked at a single file", async () => {
    const folder = await withNotes();
    const first = await open(folder);
    await write(folder, "n0", "1 remembered");
    await first.check();
    await first.close();

    const index = await open(folder);

    expect(index.counts()).not.toBeNull();
    expect(pages(index, 10)).toMatchObject([{ text: "remembered" }]);
    await index.close();
  });

  it("says that it does not know everything yet while it rebuilds", async () => {
    const folder = await withNotes();
    await write(folder, "n0", "1 unseen");

    const index = await open(folder);

    expect(index.counts()).toBeNull();
    await index.settled();
    expect(index.counts()).not.toBeNull();
    await index.close();
  });

  it.each(["snapshot", "journal"])("is rebuilt when its %s was packed in another way", async (place) => {
    const folder = await withNotes();
    const first = await open(folder, { packing: "name,rank,text" });
    await first.settled();
    await write(folder, "n0", "1 here");
    if (place === "snapshot") await first.check();
    else await first.lookAt("n0");
    await first.close();

    const index = await open(folder, { packing: "name,rank,label,text" });

    expect(index.counts()).toBeNull();
    await index.settled();
    expect(pages(index, 10)).toMatchObject([{ text: "here" }]);
    await index.close();
  });

  it("notices a file that comes or goes without being told, and says which", async () => {
    const folder = await withNotes();
    const found: string[] = [];
    const index = await open(folder, { onFound: (name) => found.push(name) });
    await index.settled();

    await write(folder, "n5", "1 new");
    await expect.poll(() => pages(index, 10)).toMatchObject([{ name: "n5" }]);
    await rm(join(folder, "notes", "n5"));
    await expect.poll(() => pages(index, 10)).toEqual([]);

    expect(new Set(found)).toEqual(new Set(["n5"]));
    await index.close();
  });

  it("starts from a snapshot again although its folder was deleted while it ran", async () => {
    const folder = await withNotes();
    const first = await open(folder);
    await write(folder, "n0", "1 kept");
    await first.check();

    await rm(join(folder, ".index"), { recursive: true });
    await write(folder, "n1", "2 later");
    await first.lookAt("n1");
    await first.check();
    await first.close();

    const index = await open(folder);
    expect(index.counts()).not.toBeNull();
    expect(pages(index, 10)).toMatchObject([{ name: "n1" }, { name: "n0" }]);
    await index.close();
  });

  it("finds every other file although one cannot be looked at", async () => {
    const folder = await withNotes();
    const problems: unknown[] = [];
    await mkdir(join(folder, "notes", "n3"));
    for (const name of ["n1", "n2", "n4", "n5"]) await write(folder, name, `1 ${name}`);

    const index = await open(folder, { onProblem: (error) => problems.push(error) });
    await index.settled();

    expect(pages(index, 10).map(({ name }) => name)).toEqual(["n5", "n4", "n2", "n1"]);
    expect(problems).toMatchObject([{ code: "EISDIR" }]);
    expect(index.counts()).not.toBeNull();
    await index.close();
  });

  it("finds words in any order, however they are written", async () => {
    const folder = await withNotes();
    await write(folder, "n0", "1 Fix-the-Café-AUTH");
    const index = await open(folder);
    await index.settled();
    const found = (search: string) => index.page({ limit: 10, search }).values.length;

    expect(["auth fix", " CAFÉ ", "cafe\u0301", "", "ｆｉｘ"].map(found)).toEqual([1, 1, 1, 1, 1]);
    expect(["auth mend", "cafe\nauth", "fixthe"].map(found)).toEqual([0, 0, 0]);
    await index.close();
  });

  it("refuses a cursor it did not give", async () => {
    const index = await open(await withNotes());

    for (const cursor of ["", "nonsense", "W10", Buffer.from("[1,2]").toString("base64url")]) {
      expect(() => index.page({ limit: 1, cursor })).toThrow("cursor");
    }
    await index.close();
  });

  it("puts a journal that grows too long into a new snapshot (SEC-15)", async () => {
    const folder = await withNotes();
    const index = await open(folder, { journalLines: 20 });
    await index.settled();

    for (let count = 0; count < 200; count += 1) {
      await write(folder, "n0", `1 ${count}`);
      await index.lookAt("n0");
    }
    await index.close();

    const journals = (await readdir(join(folder, ".index"))).filter((name) => name.endsWith(".journal"));
    const texts = await Promise.all(journals.map((name) => readFile(join(folder, ".index", name), "utf8")));
    expect(texts.join("").split("\n").length).toBeLessThan(100);
    const again = await open(folder);
    expect(pages(again, 10)).toMatchObject([{ text: "199" }]);
    await again.close();
  });
});

/** As if the machine had lost power while the files were written. */
async function cutFiles(folder: string, keep: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    await truncate(path, Math.floor((await readFile(path)).length * keep));
  }
}
