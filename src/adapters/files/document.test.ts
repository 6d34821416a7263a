import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { startProgram } from "./child-program.testing.ts";
import { numbered } from "./document-writer.testing.ts";
import { defineDocument } from "./document.ts";
import { failureOf } from "./failure-of.testing.ts";

const first = defineDocument(z.object({ name: z.string() }));
const second = first.next(z.object({ title: z.string() }), ({ name }) => ({ title: name }));
const third = second.next(z.object({ title: z.string(), tags: z.array(z.string()) }), ({ title }) => ({ title, tags: [] }));

describe("a document", () => {
  it("comes back as it was written, with the version of its format", async () => {
    const file = join(await temporaryFolder(), "a.json");

    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.array(fc.string()), async (title, tags) => {
        await third.write(file, { title, tags });

        expect(await third.read(file)).toEqual({ title, tags });
        expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ version: 3 });
      }),
      { numRuns: 30 },
    );
  });

  it("is migrated step by step when it is read, and the file stays as it was", async () => {
    const file = join(await temporaryFolder(), "a.json");
    await first.write(file, { name: "old" });
    const before = await readFile(file, "utf8");

    const found = await third.read(file);

    expect(found).toEqual({ title: "old", tags: [] });
    expect(await readFile(file, "utf8")).toBe(before);
  });

  it("of a newer version is refused in words", async () => {
    const file = join(await temporaryFolder(), "a.json");
    await third.write(file, { title: "new", tags: [] });

    const failure = await failureOf(second.read(file));

    expect(failure.code).toBe("home_newer");
    expect(failure.message).toContain(`${file} was written by a newer Guild Hall (format 3; this one knows up to 2)`);
  });

  it.each([
    ["cut off", '{\n  "version": 1,\n  "na', "line 3"],
    ["not JSON", '{ "version": 1,\n name: "x" }', "line 2"],
    ["empty", "", "line 1"],
    ["without a version", '{ "name": "x" }', "version"],
    ["with a wrong value", '{ "version": 1, "name": 5 }', "name"],
    ["a list", "[]", "object"],
    ["of version 0", '{ "version": 0 }', "version"],
  ])("that is %s is reported with the file and the place, and left as it is", async (_what, text, place) => {
    const file = join(await temporaryFolder(), "a.json");
    await writeFile(file, text);

    const failure = await failureOf(first.read(file));

    expect(failure.code).toBe("file_broken");
    expect(failure.message).toContain(place);
    expect(failure.message).toContain(file);
    expect(await readFile(file, "utf8")).toBe(text);
  });

  it("with a byte that is no text is broken, and not read as another text", async () => {
    const file = join(await temporaryFolder(), "a.json");
    const bytes = Buffer.from('{ "version": 1, "name": "x?z" }');
    bytes[bytes.indexOf("?")] = 0xff;
    await writeFile(file, bytes);

    const failure = await failureOf(first.read(file));

    expect(failure.code).toBe("file_broken");
    expect(failure.message).toContain(`${file} is broken: it is not text in UTF-8`);
  });

  it("cut at any byte is broken or whole, never something else", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => {
        const text = JSON.stringify({ version: 1, name });
        for (let cut = 0; cut < text.length; cut += 1) {
          expect(() => first.parse(text.slice(0, cut), "a.json")).toThrow(/a\.json is broken/);
        }
        expect(first.parse(text, "a.json")).toEqual({ name });
      }),
      { numRuns: 30 },
    );
  });

  it("is whole whenever its writer is killed with -9", async () => {
    const file = join(await temporaryFolder(), "a.json");

    for (let life = 0; life < 3; life += 1) {
      const writer = startProgram(new URL("./document-writer.testing.ts", import.meta.url), [file]);
      for (let written = 0; written < 20 * (life + 1); written += 1) await writer.line();
      await writer.kill();

      const found = await numbered.read(file);

      expect(found?.filling).toBe(`${found?.count}`.repeat(5000));
    }
  });

  it("is null where there is no file, and is created once", async () => {
    const file = join(await temporaryFolder(), "a.json");

    expect(await first.read(file)).toBeNull();
    expect(await first.create(file, { name: "one" })).toBe(true);
    expect(await first.create(file, { name: "two" })).toBe(false);
    expect(await first.read(file)).toEqual({ name: "one" });
  });
});
