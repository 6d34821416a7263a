export type LineWatch = {
  onLine(line: string): void;
  /** A line over the limit: where it began and where it ended, which is where a message names its request. */
  onLongLine(edges: { head: string; tail: string }): void;
};

const edgeBytes = 1024;
const newline = 0x0a;

/** Cuts a stream of bytes into lines. No more than `limit` bytes of a line are ever kept. */
export function createLineReader(limit: number, watch: LineWatch): (piece: Buffer) => void {
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
    long = { head: all.subarray(0, edgeBytes), tail: lastBytes(all) };
    kept = [];
  };

  const endLine = (): void => {
    if (long === null) watch.onLine(Buffer.concat(kept).toString("utf8"));
    else watch.onLongLine({ head: long.head.toString("latin1"), tail: long.tail.toString("latin1") });
    kept = [];
    length = 0;
    long = null;
  };

  return (piece) => {
    let from = 0;
    for (let end = piece.indexOf(newline); end !== -1; end = piece.indexOf(newline, from)) {
      take(piece.subarray(from, end));
      endLine();
      from = end + 1;
    }
    if (from < piece.length) take(piece.subarray(from));
  };
}

/** A copy, so that a kilobyte does not keep megabytes alive. */
const lastBytes = (bytes: Buffer): Buffer => Buffer.from(bytes.subarray(Math.max(0, bytes.length - edgeBytes)));
