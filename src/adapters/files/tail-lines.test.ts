import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { readLastLines } from "./tail-lines.ts";

async function fileOf(text: string): Promise<string> {
  const path = join(await temporaryFolder(), "lines");
  await writeFile(path, text);
  return path;
}

describe("the last lines of a file", () => {
  it("page by page from the end are all lines, each once, however long they are", async () => {
    const line = fc
      .oneof(
        fc.string({ unit: "grapheme" }),
        fc.nat(200_000).map((length) => "é".repeat(length)),
      )
      .map((text) => text.replaceAll("\n", " "));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        fc.option(fc.integer({ min: 1, max: 300_000 }), { nil: undefined }),
        async (lines, limit, mostBytes) => {
          const path = await fileOf(lines.map((each) => `${each}\n`).join(""));
          const pages: string[][] = [];
          for (let before: number | undefined; before !== 0;) {
            const page = await readLastLines(path, { limit, before, mostBytes });
            const said = linesOf(page.bytes);
            expect(said.length === 1 || page.bytes.length <= (mostBytes ?? Infinity) || page.bytes.length === 0).toBe(true);
            pages.unshift(said);
            before = page.start;
          }

          expect(pages.flat()).toEqual(lines);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("are fewer than asked for if they are large together, and always one", async () => {
    const path = await fileOf(`${"a".repeat(90)}\n${"b".repeat(40)}\n${"c".repeat(40)}\n`);

    const two = await readLastLines(path, { limit: 3, mostBytes: 100 });
    const one = await readLastLines(path, { limit: 3, mostBytes: 10, before: two.start });

    expect(linesOf(two.bytes)).toEqual(["b".repeat(40), "c".repeat(40)]);
    expect(linesOf(one.bytes)).toEqual(["a".repeat(90)]);
  });

  it("include one that lacks its line break, as editors leave it", async () => {
    const path = await fileOf("whole\nlast");

    const page = await readLastLines(path, { limit: 1 });

    expect([page.bytes.toString(), page.start]).toEqual(["last", 6]);
  });

  it("of a file that is not there are none", async () => {
    const page = await readLastLines(join(await temporaryFolder(), "absent"), { limit: 10 });

    expect([page.bytes.length, page.start]).toEqual([0, 0]);
  });
});

const linesOf = (bytes: Buffer): string[] => (bytes.length === 0 ? [] : bytes.toString().slice(0, -1).split("\n"));
