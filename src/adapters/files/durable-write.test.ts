import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { createFileDurably, isTemporaryName, makeFolder, sweepTemporaries, writeFileDurably } from "./durable-write.ts";
import { disk } from "./disk.ts";
import type { Disk } from "./disk.ts";
import { createDyingDisk, createSmallDisk, PowerCut, systemError } from "./failing-disk.testing.ts";
import { failureOf } from "./failure-of.testing.ts";

describe("writeFileDurably", () => {
  it("writes what it was given, for this user only (SEC-16)", async () => {
    const file = join(await temporaryFolder(), "a.json");

    await writeFileDurably(file, "one");
    await writeFileDurably(file, "two ünïcode");

    expect(await readFile(file, "utf8")).toBe("two ünïcode");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("leaves the whole old or the whole new file wherever the writer dies, at every byte", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "a.json");

    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ maxLength: 40 }), async (old, next) => {
        let died = true;
        for (let units = 0; died; units += 1) {
          await writeFile(file, old);
          died = await diesWriting(() => writeFileDurably(file, next, createDyingDisk(units)));
          const found = await readFile(file);
          expect(died ? [Buffer.from(old), Buffer.from(next)] : [Buffer.from(next)]).toContainEqual(found);
        }
      }),
      { numRuns: 6 },
    );
  });

  it("leaves no file or the whole file wherever the writer of a first file dies", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "a.json");

    for (let units = 0, died = true; died; units += 1) {
      died = await diesWriting(() => createFileDurably(file, "content", createDyingDisk(units)));
      const found = (await readdir(folder)).filter((name) => !isTemporaryName(name));
      const contents = await Promise.all(found.map((name) => readFile(join(folder, name), "utf8")));
      expect(died ? [[], ["content"]] : [["content"]]).toContainEqual(contents);
      await rm(file, { force: true });
    }
  });

  it("says that the disk is full, names the file and keeps the old content", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "a.json");
    await writeFileDurably(file, "old");

    const failure = await failureOf(writeFileDurably(file, "new content", createSmallDisk(5)));

    expect(failure.code).toBe("disk_full");
    expect(failure.message).toContain(file);
    expect(await readFile(file, "utf8")).toBe("old");
    expect(await readdir(folder)).toEqual(["a.json"]);
  });

  it.each(["EACCES", "EROFS", "EPERM", "EIO", "ENOTDIR"])("says what to do about %s and keeps the old content", async (code) => {
    const file = join(await temporaryFolder(), "a.json");
    await writeFileDurably(file, "old");

    const failure = await failureOf(writeFileDurably(file, "new", { ...disk, rename: () => Promise.reject(systemError(code, "rename")) }));

    expect(failure.code).toBe("home_unusable");
    expect(failure.message).toContain(file);
    expect(await readFile(file, "utf8")).toBe("old");
  });

  it("keeps many writers of one file apart", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "a.json");

    await Promise.all(Array.from({ length: 50 }, (_, turn) => writeFileDurably(file, `${turn}`.repeat(1000))));

    const content = await readFile(file, "utf8");
    expect(content).toMatch(/^(\d{1,2})\1{999}$/);
    expect(await readdir(folder)).toEqual(["a.json"]);
  });
});

describe("createFileDurably", () => {
  it("lets one of many makers win and keeps what the winner wrote", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "a.json");

    const made = await Promise.all(Array.from({ length: 20 }, (_, maker) => createFileDurably(file, `maker ${maker}`)));

    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await readFile(file, "utf8")).toBe(`maker ${made.indexOf(true)}`);
    expect(await readdir(folder)).toEqual(["a.json"]);
  });
});

describe("createFileDurably on a disk that fails", () => {
  it("leaves nothing in the way of another try", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "a.json");
    const cannotFlushFolders: Disk = {
      ...disk,
      open: async (path, flags, mode) => (flags === "r" ? Promise.reject(systemError("EIO", "open")) : disk.open(path, flags, mode)),
    };

    const failure = await failureOf(createFileDurably(file, "first", cannotFlushFolders));
    const afterwards = await readdir(folder);

    expect(failure.code).toBe("home_unusable");
    expect(afterwards).toEqual([]);
    expect(await createFileDurably(file, "second")).toBe(true);
  });
});

describe("makeFolder", () => {
  it("makes a folder and its parents for this user only, and again without complaint (SEC-16)", async () => {
    const folder = await temporaryFolder();

    await makeFolder(join(folder, "a", "b"));
    await makeFolder(join(folder, "a", "b"));

    for (const made of [join(folder, "a"), join(folder, "a", "b")]) expect((await stat(made)).mode & 0o777).toBe(0o700);
  });

  it("says that a file is in the way", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "a"), "");

    const inPlace = await failureOf(makeFolder(join(folder, "a")));
    const onTheWay = await failureOf(makeFolder(join(folder, "a", "b")));

    expect(inPlace.message).toContain("a file stands where a folder belongs");
    expect(onTheWay.message).toContain("is a file and not a folder");
  });
});

describe("sweepTemporaries", () => {
  it("removes what dead writers left and nothing else", async () => {
    const folder = await temporaryFolder();
    const deadLeftover = ".a.json.4194305-zzz-abc.tmp";
    await writeFile(join(folder, deadLeftover), "half");
    await writeFile(join(folder, `.a.json.${process.pid}-zzz-abc.tmp`), "half, by an earlier process of this id");
    await writeFile(join(folder, `.a.json.${process.ppid}-zzz-abc.tmp`), "half, by a process that lives");
    await writeFile(join(folder, "a.json"), "whole");
    await writeFile(join(folder, ".notes.tmp"), "somebody else's");
    await mkdir(join(folder, "deeper"));

    const swept = await sweepTemporaries(folder);

    expect(swept).toBe(2);
    expect((await readdir(folder)).toSorted()).toEqual([`.a.json.${process.ppid}-zzz-abc.tmp`, ".notes.tmp", "a.json", "deeper"]);
  });

  it("leaves alone what this process is writing", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "a.json");
    let leftWhileWriting = 0;

    await writeFileDurably(file, "content", {
      ...disk,
      async rename(from, to) {
        leftWhileWriting = await sweepTemporaries(folder);
        await disk.rename(from, to);
      },
    });

    expect(leftWhileWriting).toBe(0);
    expect(await readFile(file, "utf8")).toBe("content");
  });

  it("finds nothing to do in a folder that does not exist", async () => {
    expect(await sweepTemporaries(join(await temporaryFolder(), "missing"))).toBe(0);
  });
});

async function diesWriting(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return false;
  } catch (error) {
    if (error instanceof PowerCut) return true;
    throw error;
  }
}
