import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { printLine, readLines } from "./checked-lines.ts";

async function read(path: string): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const value of readLines(path)) values.push(value);
  return values;
}

describe("lines that prove themselves", () => {
  it("give back every value, whatever characters are in it and wherever a block of the file ends", async () => {
    const path = join(await temporaryFolder(), "lines");
    const separators = fc.constantFrom("\u2028", "\u2029", "\u0085", "\r", "\r\n", "\n", "\f", "\0");
    const long = fc.nat(1_500_000).map((length) => "é".repeat(length));
    const text = fc.oneof(
      { weight: 4, arbitrary: fc.array(fc.oneof(separators, fc.string({ unit: "grapheme" }))).map((parts) => parts.join("")) },
      long,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 5 }), async (values) => {
        await writeFile(path, values.map(printLine).join(""));

        expect(await read(path)).toEqual(values);
      }),
      { numRuns: 50 },
    );
  });

  it("end where a byte is not what was written", async () => {
    const path = join(await temporaryFolder(), "lines");
    const bytes = Buffer.from(["one", "two", "three"].map(printLine).join(""));
    const secondEnd = Buffer.byteLength(printLine("one") + printLine("two"));

    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0x01;
      await writeFile(path, damaged);

      const left = await read(path);

      expect(left).toEqual(["one", "two", "three"].slice(0, left.length));
      expect(left.length).toBe(at < Buffer.byteLength(printLine("one")) ? 0 : at < secondEnd ? 1 : 2);
    }
  });

  it("are none where there is no file, or a folder in its place", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "lines"));

    expect(await read(join(folder, "lines"))).toEqual([]);
    expect(await read(join(folder, "absent"))).toEqual([]);
  });
});
