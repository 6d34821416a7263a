import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readPaced } from "./read-paced.ts";

/** Has as much to say as anybody asks for, and counts how much that was. */
function createFlood() {
  let asked = 0;
  const stream = new Readable({
    highWaterMark: 1000,
    read() {
      asked += 1000;
      this.push("x".repeat(1000));
    },
  });
  return { stream, asked: () => asked };
}

describe("reading with a rest", () => {
  it("leaves the rest of a flood where it is until the last piece has had its time", async () => {
    const { stream, asked } = createFlood();
    let read = 0;
    const first = Promise.withResolvers<null>();
    const anHour = 3_600_000;

    readPaced(
      stream,
      (piece: Buffer) => {
        read += piece.length;
        first.resolve(null);
      },
      anHour,
    );
    await first.promise;
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    stream.destroy();

    expect(read).toBe(1000);
    expect(asked()).toBeLessThanOrEqual(3000);
  });

  it("goes on after it, and reads all there is", async () => {
    const pieces = ["a", "b", "c"];
    const heard: string[] = [];
    const stream = Readable.from(pieces);
    const over = new Promise((resolve) => stream.once("end", resolve));

    readPaced(stream, (piece: string) => void heard.push(piece), 1);
    await over;

    expect(heard).toEqual(pieces);
  });
});
