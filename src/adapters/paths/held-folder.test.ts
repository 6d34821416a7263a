import { mkdir, open, readdir, readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { systemCode } from "../system-code.ts";
import { inFolder } from "./held-folder.ts";

async function makeFolders() {
  const top = await temporaryFolder();
  const root = join(top, "root");
  await mkdir(join(root, "a/b"), { recursive: true });
  await mkdir(join(top, "outside"));
  await writeFile(join(root, "a/b/key.txt"), "mine");
  await writeFile(join(top, "outside/key.txt"), "theirs");
  return { top, root };
}

/** The flushes of folders, by the names given here. They reach the disk. */
async function recordFlushes(folders: Record<string, string>, { failing = "" } = {}): Promise<string[]> {
  const order: string[] = [];
  const handle = await open(import.meta.filename);
  await handle.close();
  const prototype = Object.getPrototypeOf(handle) as FileHandle; // all handles share it
  const sync = prototype.sync;
  const spy = vi.spyOn(prototype, "sync").mockImplementation(async function (this: FileHandle) {
    const { ino } = await this.stat();
    const found = await Promise.all(Object.entries(folders).map(async ([name, path]) => ((await inodeOf(path)) === ino ? [name] : [])));
    const [name = "another"] = found.flat();
    order.push(`flushed ${name}`);
    await sync.call(this);
    if (name === failing) throw Object.assign(new Error("i/o error, fsync"), { code: "EIO" });
  });
  onTestFinished(() => spy.mockRestore());
  return order;
}

const inodeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ ino }) => ino,
    () => null,
  );

const codeOf = (work: Promise<unknown>) => work.then(() => "done", systemCode);

describe("a folder that is held", () => {
  it("is reached name by name, and made where that is wanted", async () => {
    const { root } = await makeFolders();

    const text = await inFolder(root, ["a", "b"], (folder) => readFile(folder.at("key.txt"), "utf8"));
    const missing = await codeOf(inFolder(root, ["a", "new"], (folder) => readdir(folder.path)));
    await inFolder(root, ["a", "new", "newer"], (folder) => writeFile(folder.at("x"), ""), { make: true });

    expect([text, missing]).toEqual(["mine", "ENOENT"]);
    expect(await readdir(join(root, "a/new/newer"))).toEqual(["x"]);
  });

  it("is durable before the work begins if it is made, and is not flushed if it is there already", async () => {
    const { top, root } = await makeFolders();
    const inNew = (names: string[]) => inFolder(join(root, "new"), names, async () => order.push("work"), { make: true });
    const order = await recordFlushes({ top, root, new: join(root, "new"), deep: join(root, "new/deep") });

    await inNew(["deep", "deeper"]);
    await inNew(["deep", "deeper"]);

    expect(order).toEqual(["flushed root", "flushed new", "flushed deep", "work", "work"]);
  });

  it("is not used if it was made and cannot be made durable", async () => {
    const { root } = await makeFolders();
    const order = await recordFlushes({ root }, { failing: "root" });

    const code = await codeOf(inFolder(root, ["new"], async () => order.push("work"), { make: true }));

    expect([code, order]).toEqual(["EIO", ["flushed root"]]);
  });

  it("is not reached through a link, wherever on the way it is (SEC-8)", async () => {
    const { top, root } = await makeFolders();
    await symlink(join(top, "outside"), join(root, "link"));
    await symlink(root, join(top, "root-link"));
    const list = (from: string, names: string[]) => codeOf(inFolder(from, names, (folder) => readdir(folder.path)));

    expect([await list(root, ["link"]), await list(join(top, "root-link"), []), await list(root, ["a"])]).toEqual([
      "ENOTDIR",
      "ENOTDIR",
      "done",
    ]);
  });

  it.each(["..", ".", "", "a/b", "../outside", "a\0"])("refuses %j as a name in it (SEC-8)", async (name) => {
    const { root } = await makeFolders();
    const refused = { code: "bad_request", message: `${JSON.stringify(name)} is not the name of a file or folder.` };

    await expect(inFolder(root, [name], (folder) => readdir(folder.path))).rejects.toMatchObject(refused);
    await expect(inFolder(root, [], (folder) => folder.openFile(name))).rejects.toMatchObject(refused);
  });

  it("is noticed as swapped where it is reached by its name", async () => {
    const { top, root } = await makeFolders();

    const code = await codeOf(
      inFolder(
        root,
        ["a", "b"],
        async (folder) => {
          await rename(join(root, "a"), join(root, "aside"));
          await symlink(join(top, "outside-above"), join(root, "a"));
          await mkdir(join(top, "outside-above/b"), { recursive: true });
          await writeFile(join(top, "outside-above/b/key.txt"), "theirs");
          return folder.openFile("key.txt");
        },
        { platform: "darwin" },
      ),
    );

    expect(code).toBe("ENOTDIR");
  });

  // Elsewhere a folder cannot be reached by its handle, and an attacker on the same machine has this moment.
  it.runIf(process.platform === "linux")("stays what it is when somebody puts a link in its place, or above it (SEC-8)", async () => {
    const { top, root } = await makeFolders();

    const read = await inFolder(root, ["a", "b"], async (folder) => {
      await rename(join(root, "a"), join(root, "aside"));
      await mkdir(join(root, "a"));
      await symlink(join(top, "outside"), join(root, "a/b"));
      await writeFile(folder.at("new.txt"), "");
      return readFile(folder.at("key.txt"), "utf8");
    });

    expect(read).toBe("mine");
    expect(await readdir(join(top, "outside"))).toEqual(["key.txt"]);
  });
});
