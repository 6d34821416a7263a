import { mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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
