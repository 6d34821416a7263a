import { readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { settleAside, swapFile } from "./context-swap.ts";
import { sweepTemporaries } from "./durable-write.ts";
import { createDyingDisk } from "./failing-disk.testing.ts";

async function fileWith(text: string): Promise<string> {
  const path = join(await temporaryFolder(), "context.md");
  await writeFile(path, text);
  return path;
}

/** As most editors save. */
function saveLikeAnEditor(path: string, text: string): void {
  writeFileSync(`${path}~`, text);
  renameSync(`${path}~`, path);
}

const swap = (path: string, seen: string, onChange: () => void = () => undefined) => ({
  path,
  data: Buffer.from("ours"),
  isThere: true,
  isExpected: async (movedTo: string) => readFileSync(movedTo, "utf8") === seen,
  onChange,
});

describe("putting a file in the place of another", () => {
  it("leaves only the new one", async () => {
    const path = await fileWith("seen");

    expect(await swapFile(swap(path, "seen"))).toBe(true);

    expect(await readFile(path, "utf8")).toBe("ours");
    expect(await readdir(dirname(path))).toEqual(["context.md"]);
  });

  it.each([
    ["before it is moved away", { before: true }],
    ["after it was compared, at the very last moment", { last: true }],
    ["both times", { before: true, last: true }],
  ])("leaves what an editor saves %s", async (_when, { before = false, last = false }: { before?: boolean; last?: boolean }) => {
    const path = await fileWith("seen");
    if (before) saveLikeAnEditor(path, "theirs");
    const theirs = swap(path, "seen", () => last && saveLikeAnEditor(path, "theirs"));
    const isExpected = async (movedTo: string) => {
      if (before && last) saveLikeAnEditor(path, "theirs, again");
      return theirs.isExpected(movedTo);
    };

    expect(await swapFile({ ...theirs, isExpected })).toBe(false);

    expect(await readFile(path, "utf8")).toBe(before && last ? "theirs, again" : "theirs");
    expect(await readdir(dirname(path))).toEqual(["context.md"]);
  });

  it("makes none where it was deleted meanwhile, and replaces none where there was none", async () => {
    const deleted = await fileWith("seen");
    unlinkSync(deleted);
    const made = await fileWith("theirs");

    expect(await swapFile(swap(deleted, "seen"))).toBe(false);
    expect(await swapFile({ ...swap(made, ""), isThere: false })).toBe(false);

    expect(await readdir(dirname(deleted))).toEqual([]);
    expect(await readFile(made, "utf8")).toBe("theirs");
  });

  it("puts back what cannot be compared, even a folder", async () => {
    const path = await fileWith("seen");
    await rm(path);
    await mkdir(path);

    await expect(swapFile(swap(path, "seen"))).rejects.toThrow("a folder stands where a file belongs");

    expect((await readdir(dirname(path), { withFileTypes: true })).map((each) => [each.name, each.isDirectory()])).toEqual([
      ["context.md", true],
    ]);
  });

  it("loses nothing at whatever moment the machine dies: the old or the new is there afterwards", async () => {
    const found = new Set<string>();
    for (let units = 0, isDone = false; !isDone; units += 1) {
      const path = await fileWith("seen");
      isDone = await swapFile(swap(path, "seen"), createDyingDisk(units)).catch(() => false);

      await settleAside(path);
      await sweepTemporaries(dirname(path));
      found.add(await readFile(path, "utf8"));
      expect((await readdir(dirname(path))).filter((name) => name.endsWith(".aside"))).toEqual([]);
    }

    expect([...found]).toEqual(["seen", "ours"]);
  });
});
