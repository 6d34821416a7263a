import { appendFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { nothingRead, readLineAt, readNewLines } from "./new-lines.ts";
import type { Look, Progress } from "./new-lines.ts";

const line = (text: string) => `${JSON.stringify({ text })}\n`;

/** A look that must have found a file that changed. */
function look(path: string, known: Progress = nothingRead): Look {
  const found = readNewLines(path, known);
  if (found === null || found === "gone") throw new Error(`The file is ${found ?? "unchanged"}.`);
  return found;
}

const textsOf = ({ lines }: Look): string[] => lines.map(({ text }) => (JSON.parse(text) as { text: string }).text);

describe("new lines of a file", () => {
  it("are only what was appended since", async () => {
    const path = join(await temporaryFolder(), "lines");
    await writeFile(path, line("one") + line("two"));
    const first = look(path);
    await appendFile(path, line("three"));

    const second = look(path, first.progress);

    expect(textsOf(first)).toEqual(["one", "two"]);
    expect(second).toMatchObject({ isOther: false, hasMore: false });
    expect(textsOf(second)).toEqual(["three"]);
    expect(readLineAt(path, second.lines[0]?.offset ?? 0)).toBe(line("three").trim());
  });

  it("wait for their line break, unless they are whole without it", async () => {
    const path = join(await temporaryFolder(), "lines");
    await writeFile(path, `${line("one")}{"text":"tw`);
    const first = look(path);
    await appendFile(path, 'o"}');
    const second = look(path, first.progress);
    await appendFile(path, `\n${line("three")}`);

    const third = look(path, second.progress);

    expect([first, second, third].map(textsOf)).toEqual([["one"], ["two"], ["three"]]);
  });

  it.each([
    ["shorter", (path: string) => truncate(path, line("one").length), ["one"]],
    ["another of the same length", (path: string) => writeFile(path, line("eno") + line("two")), ["eno", "two"]],
    ["longer, and changed before the end", (path: string) => writeFile(path, line("one more") + line("two")), ["one more", "two"]],
  ])("are all lines again of a file that is %s", async (_how, edit, expected) => {
    const path = join(await temporaryFolder(), "lines");
    await writeFile(path, line("one") + line("two"));
    const { progress } = look(path);
    await edit(path);

    const again = look(path, progress);

    expect(again.isOther).toBe(true);
    expect(textsOf(again)).toEqual(expected);
  });

  it("are none of a file that is not there", async () => {
    const path = join(await temporaryFolder(), "lines");
    await writeFile(path, line("one"));
    const { progress } = look(path);
    await rm(path);

    expect(readNewLines(path, progress)).toBe("gone");
  });

  it("come in slices that together are the file, however long a line is", async () => {
    const path = join(await temporaryFolder(), "lines");
    const lengths = fc.array(fc.oneof(fc.nat(100), fc.integer({ min: 200_000, max: 600_000 })), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(lengths, async (all) => {
        const texts = all.map((length, at) => `${at}`.padEnd(length, "x"));
        await writeFile(path, texts.map(line).join(""));
        const seen: string[] = [];
        let { progress, hasMore } = { progress: nothingRead, hasMore: true };

        while (hasMore) {
          const found = look(path, progress);
          seen.push(...textsOf(found));
          ({ progress, hasMore } = found);
        }

        expect(seen).toEqual(texts);
      }),
      { numRuns: 20 },
    );
  });
});
