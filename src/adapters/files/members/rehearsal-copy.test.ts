import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { MemberName } from "../../../schema/ids.ts";
import { copyForRehearsal } from "./rehearsal-copy.ts";

const project = join(import.meta.dirname, "../../../..");

/** A member that has worked before, behind a link, with packages beside it. */
async function copiedMember() {
  const place = await temporaryFolder();
  const folder = join(place, "mine/clerk");
  const files = ["server.ts", "tools/count.ts", ".env", "jobs/1/task.md", "memory/tides.md", ".git/HEAD", "tools/memory/notes.ts"];
  for (const path of [...files, "../node_modules/ink/index.js"]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), path);
  }
  await symlink(folder, join(place, "clerk"));
  const copy = await copyForRehearsal(join(place, "clerk"), MemberName.parse("clerk"), project);
  onTestFinished(copy.remove);
  return { place, folder, copy };
}

describe("the copy of a member for its rehearsal", () => {
  it("has all of it but its work, and finds what it imports", async () => {
    const { copy, place } = await copiedMember();

    expect((await readdir(copy.folder)).toSorted()).toEqual([".env", "node_modules", "server.ts", "tools"]);
    expect((await readdir(join(copy.folder, "tools"), { recursive: true })).toSorted()).toEqual(["count.ts", "memory", "memory/notes.ts"]);
    expect(await readlink(join(copy.folder, "node_modules"))).toBe(join(place, "mine/node_modules"));
    expect(existsSync(join(copy.layout.nodeModules, "zod"))).toBe(true);
  });

  it("tells what became new or different in it, and leaves the member as it is", async () => {
    const { copy, folder } = await copiedMember();
    const before = await readdir(folder, { recursive: true });

    await mkdir(join(copy.folder, "memory"));
    await writeFile(join(copy.folder, "memory/tides.md"), "Twice a day.");
    await writeFile(join(copy.folder, "tools/count.ts"), "changed");
    await writeFile(join(copy.folder, ".lock"), "");

    expect(await copy.changes()).toEqual(["memory/tides.md", "tools/count.ts"]);
    expect(await readdir(folder, { recursive: true })).toEqual(before);
    expect(await readFile(join(folder, "tools/count.ts"), "utf8")).toBe("tools/count.ts");
  });

  it("is gone without a trace", async () => {
    const { copy, place } = await copiedMember();

    await copy.remove();

    expect(existsSync(copy.layout.home)).toBe(false);
    expect(existsSync(join(place, "mine/node_modules/ink/index.js"))).toBe(true);
  });
});
