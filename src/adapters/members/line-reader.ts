/** A line, or where one over the limit began and ended: that is where a message names its request. */
export type Line = { text: string } | { head: string; tail: string };

const edgeBytes = 1024;
const newline = 0x0a;

/** Cuts a stream of bytes into lines, piece by piece. No more than `limit` bytes of a line are ever kept. */
export function createLineReader(limit: number): (piece: Buffer) => Generator<Line> {
  let kept: Buffer[] = [];
  let length = 0;
  /** The edges of a line that has become too long. */
  let long: { head: Buffer; tail: Buffer } | null = null;

  const take = (part: Buffer): void => {
    length += part.length;
    if (long !== null) {
      long.tail = lastBytes(Buffer.concat([long.tail, lastBytes(part)]));
      return;
    }
    kept.push(part);
    if (length <= limit) return;
    const all = Buffer.concat(kept);
    long = { head: Buffer.from(all.subarray(0, edgeBytes)), tail: lastBytes(all) };
    kept = [];
  };

  const endLine = (): Line => {
    const line = long === null ? { text: wholeOf(kept).toString("utf8") } : { head: long.head.toString(), tail: long.tail.toString() };
    kept = [];
    length = 0;
    long = null;
    return line;
  };

  return function* read(piece) {
    let from = 0;
    for (let end = piece.indexOf(newline); end !== -1; end = piece.indexOf(newline, from)) {
      take(piece.subarray(from, end));
      from = end + 1;
      yield endLine();
    }
    if (from < piece.length) take(piece.subarray(from));
  };
}

const wholeOf = (parts: Buffer[]): Buffer => (parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts));

/** A copy, so that a kilobyte does not keep megabytes alive. */
const lastBytes = (bytes: Buffer): Buffer => Buffer.from(bytes.subarray(Math.max(0, bytes.length - edgeBytes)));
