import { crc32 } from "node:zlib";

/**
 * A line that proves itself: a checksum before JSON. The index is disposable, so a line that does not prove itself is
 * simply not believed, and what it said is found out again from the files themselves.
 */
export function printLine(value: unknown): string {
  const json = JSON.stringify(value);
  return `${checksum(json)} ${json}\n`;
}

/** The values of the lines that are whole; it stops at the first that is not, because nothing after it can be trusted. */
export function* parseLines(text: string): Generator<unknown> {
  let start = 0;
  for (;;) {
    const end = text.indexOf("\n", start);
    if (end === -1) return;
    const json = text.slice(start + checksumLength + 1, end);
    if (text.slice(start, start + checksumLength) !== checksum(json)) return;
    yield JSON.parse(json);
    start = end + 1;
  }
}

const checksumLength = 8;
const checksum = (json: string): string => crc32(json).toString(16).padStart(checksumLength, "0");
