import { open } from "node:fs/promises";
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
export async function* readLines(path: string): AsyncGenerator<unknown> {
  const file = await open(path).catch(() => null);
  // A file that cannot be opened has no line that proves itself.
  if (file === null) return;
  try {
    for await (const line of file.readLines({ encoding: "utf8", highWaterMark: 1024 * 1024 })) {
      const json = line.slice(checksumLength + 1);
      if (line.slice(0, checksumLength) !== checksum(json)) return;
      yield JSON.parse(json);
    }
  } finally {
    await file.close();
  }
}

const checksumLength = 8;
const checksum = (json: string): string => crc32(json).toString(16).padStart(checksumLength, "0");
