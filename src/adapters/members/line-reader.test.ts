import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineReader } from "./line-reader.ts";
import type { Line } from "./line-reader.ts";

describe("lines", () => {
  it("are whole however the bytes arrive, and never longer than allowed", () => {
    const limit = 20;
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 40 })), fc.array(fc.integer({ min: 1, max: 30 })), (texts, sizes) => {
        const lines = texts.map((text) => text.replaceAll("\n", " "));
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));

        const found = readAll(createLineReader(limit), bytes, sizes);

        const expected = lines.map((line) => (Buffer.byteLength(line) <= limit ? line : null));
        expect(found.map((line) => ("text" in line ? line.text : null))).toEqual(expected);
      }),
    );
  });

  it("that are too long are known by their beginning and their end", () => {
    const bytes = Buffer.from(`{"id":1${"x".repeat(100_000)}"id":2}\nnext\n`);

    const [long, next] = readAll(createLineReader(5000), bytes, [7000]);

    expect(long).toEqual({ head: expect.stringMatching(/^\{"id":1x+$/) as string, tail: expect.stringMatching(/^x+"id":2\}$/) as string });
    expect(next).toEqual({ text: "next" });
  });
});

/** In pieces of these sizes, over and over. */
function readAll(read: (piece: Buffer) => Generator<Line>, bytes: Buffer, sizes: readonly number[]): Line[] {
  const found: Line[] = [];
  for (let from = 0, turn = 0; from < bytes.length; turn += 1) {
    const size = sizes[turn % Math.max(1, sizes.length)] ?? bytes.length;
    found.push(...read(bytes.subarray(from, from + size)));
    from += size;
  }
  return found;
}
