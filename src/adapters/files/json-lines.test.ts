import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { appendJsonLines, createJsonLinesAppender } from "./append-json-lines.ts";
import { createSmallDisk } from "./failing-disk.testing.ts";
import { failureOf } from "./failure-of.testing.ts";
import { parseJsonLines, readJsonLines } from "./read-json-lines.ts";
import type { JsonLines } from "./read-json-lines.ts";

const Line = z.record(z.string(), z.json());
const anyLine = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 2, stringUnit: "binary" }), { maxKeys: 3 });
const anyLines = fc.array(anyLine.map(asStored), { minLength: 1, maxLength: 3 });

describe("reading lines", () => {
  it("gives back what was appended, in order", async () => {
    const file = join(await temporaryFolder(), "a.jsonl");

    await fc.assert(
      fc.asyncProperty(anyLines, anyLines, async (first, second) => {
        await writeFile(file, "");
        await appendJsonLines(file, first, { durable: true });
        await appendJsonLines(file, second, { durable: false });

        const { entries, torn } = await readJsonLines(file, Line);

        expect(torn).toBeNull();
        expect(valuesOf(entries)).toEqual([...first, ...second]);
      }),
      { numRuns: 30 },
    );
  });

  it("gives exactly the whole lines of a file that was cut at any byte", () => {
    fc.assert(
      fc.property(anyLines, (lines) => {
        const bytes = Buffer.from(textOf(lines));
        for (let cut = 0; cut <= bytes.length; cut += 1) {
          const { entries, torn } = parseJsonLines(bytes.subarray(0, cut), Line);

          const { whole, rest } = wholeLines(lines, cut);
          expect(valuesOf(entries)).toEqual(lines.slice(0, whole));
          expect(torn).toEqual(rest === 0 ? null : { line: whole + 1, bytes: rest });
        }
      }),
      { numRuns: 10 },
    );
  });

  it("loses nothing and glues nothing when a line follows one that was cut at any byte", async () => {
    const file = join(await temporaryFolder(), "a.jsonl");

    await fc.assert(
      fc.asyncProperty(anyLines, anyLine.map(asStored), async (lines, later) => {
        const bytes = Buffer.from(textOf(lines));
        for (let cut = 0; cut <= bytes.length; cut += 1) {
          await writeFile(file, bytes.subarray(0, cut));
          await appendJsonLines(file, [later], { durable: false });

          const { entries, torn } = await readJsonLines(file, Line);

          const { whole, rest } = wholeLines(lines, cut);
          expect(torn).toBeNull();
          expect(valuesOf(entries)).toEqual([...lines.slice(0, whole), later]);
          expect(problemLinesOf(entries)).toEqual(rest === 0 ? [] : [whole + 1]);
        }
      }),
      { numRuns: 2 },
    );
  });

  it("reports a line that somebody broke, with its number, and reads the others", () => {
    const text = '{"a":1}\nnot json\n[1]\n\n{"a":"wrong"}\r\n{"a":2}\n';

    const { entries } = parseJsonLines(Buffer.from(text), z.object({ a: z.number() }));

    expect(entries).toMatchObject([
      { line: 1, value: { a: 1 } },
      { line: 2, problem: "is not a JSON object" },
      { line: 3, problem: "is not a JSON object" },
      { line: 5, problem: "has a wrong value at a: Invalid input: expected number, received string" },
      { line: 6, value: { a: 2 } },
    ]);
  });

  it("reports bytes that are no text, and never throws, whatever the file holds", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => parseJsonLines(bytes, Line)).not.toThrow();
      }),
    );
    expect(parseJsonLines(Buffer.from([0x7b, 0xff, 0x7d, 0x0a]), Line).entries).toMatchObject([
      { line: 1, problem: "is not a JSON object" },
    ]);
  });

  it("takes a last line whose line break an editor left out, and a byte-order mark", () => {
    const text = '\uFEFF{"a":1}\n{"a":2}';

    expect(valuesOf(parseJsonLines(Buffer.from(text), Line).entries)).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it("finds no lines where there is no file", async () => {
    expect(await readJsonLines(join(await temporaryFolder(), "none.jsonl"), Line)).toEqual({ entries: [], torn: null });
  });
});

describe("appending lines", () => {
  it("keeps the file for this user only (SEC-16)", async () => {
    const file = join(await temporaryFolder(), "a.jsonl");

    await appendJsonLines(file, [{ a: 1 }], { durable: true });

    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("takes back a part that went onto a disk that ran full", async () => {
    const file = join(await temporaryFolder(), "a.jsonl");
    await appendJsonLines(file, [{ a: 1 }], { durable: true });

    const failure = await failureOf(appendJsonLines(file, [{ a: 2 }, { a: 3 }], { durable: true }, createSmallDisk(10)));

    expect(failure.code).toBe("disk_full");
    expect(failure.message).toContain(file);
    expect(await readFile(file, "utf8")).toBe('{"a":1}\n');
  });

  it("keeps the order of calls that do not wait for one another, and goes on after one that failed", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "a.jsonl");
    const appender = createJsonLinesAppender(file);
    const circular: { self?: object } = {};
    circular.self = circular;

    const turns = Array.from({ length: 50 }, (_, turn) => ({ turn }));
    const failed = appender.append([circular], { durable: false }).catch(String);
    await Promise.all(turns.map((turn) => appender.append([turn], { durable: false })));

    expect(await failed).toContain("circular");
    expect(valuesOf((await readJsonLines(file, Line)).entries)).toEqual(turns);
  });
});

/** JSON knows neither -0 nor a key `__proto__`; what is compared is what JSON can hold. */
function asStored(value: object): Record<string, unknown> {
  return Line.parse(JSON.parse(JSON.stringify(value)));
}

const textOf = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

const valuesOf = <T>(entries: JsonLines<T>["entries"]) => entries.flatMap((entry) => ("value" in entry ? [entry.value] : []));

const problemLinesOf = (entries: JsonLines<unknown>["entries"]) => entries.flatMap((entry) => ("problem" in entry ? [entry.line] : []));

/** How many lines are whole within the first `cut` bytes, and how many bytes of another follow them. */
function wholeLines(lines: readonly object[], cut: number): { whole: number; rest: number } {
  let end = 0;
  for (const [index, line] of lines.entries()) {
    const length = Buffer.byteLength(JSON.stringify(line));
    if (cut < end + length) return { whole: index, rest: Math.max(0, cut - end) };
    end += length + 1;
  }
  return { whole: lines.length, rest: 0 };
}
