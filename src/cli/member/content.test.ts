import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { describeContent, saveContent } from "./content.ts";

const blob = (uri: string) => ({ type: "resource" as const, resource: { uri, blob: "aGVsbG8=" } });

describe("what a tool answers beside words", () => {
  it("is described in a line", () => {
    const lines = [
      { type: "image" as const, data: "A".repeat(4096), mimeType: "image/png" },
      { type: "resource_link" as const, uri: "file:///a.txt", name: "a.txt" },
      blob("x://a.bin"),
    ].map(describeContent);

    expect(lines).toEqual([
      "[image: image/png, 3.1 kB. Save it with --out <folder>]",
      "[link: a.txt, file:///a.txt]",
      "[file: x://a.bin, 6 bytes. Save it with --out <folder>]",
    ]);
  });

  it.each(["x://../../../etc/passwd", "x:///..", "..\\..\\evil", "x://a/.bashrc", "\0", "", "x://a/b\u202e.png"])(
    "is saved inside the folder, whatever the member calls it: %j",
    async (uri) => {
      const folder = await temporaryFolder();

      const path = await saveContent(blob(uri), join(folder, "out"), "tool-1");
      const [name, ...others] = await readdir(join(folder, "out"));

      expect(others).toEqual([]);
      expect(name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]*$/);
      expect(path).toBe(join(folder, "out", name ?? ""));
      expect(await readFile(path ?? "", "utf8")).toBe("hello");
      expect(await readdir(folder)).toEqual(["out"]);
    },
  );

  it("is not saved where there are no bytes", async () => {
    expect(await saveContent({ type: "resource_link", uri: "x://a", name: "a" }, await temporaryFolder(), "tool-1")).toBeNull();
  });
});
