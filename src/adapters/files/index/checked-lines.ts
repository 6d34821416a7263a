import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";

/**
 * A line that proves itself: a checksum before JSON. The index is disposable, so a line that does not prove itself is
 * simply not believed, and what it said is found out again from the files themselves.
 */
export function printLine(value: unknown): string {
  const json = JSON.stringify(value);
  return `${proofOf(json)}${json}\n`;
}

/** The values of the lines that are whole; it stops at the first that is not, because nothing after it can be trusted. */
export async function* readLines(path: string): AsyncGenerator<unknown> {
  const file = await open(path).catch(() => null);
  // A file that cannot be opened or read has no line that proves itself.
  if (file === null) return;
  try {
    let bytes = Buffer.alloc(blockSize);
    for (let kept = 0; ;) {
      if (kept === bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(bytes.length)]);
      const { bytesRead } = await file.read(bytes, kept, bytes.length - kept).catch(() => ({ bytesRead: 0 }));
      if (bytesRead === 0) return;
      const filled = bytes.subarray(0, kept + bytesRead);
      let start = 0;
      // Only a line break ends a line: readers of lines also stop at separators that JSON may hold unescaped.
      for (let end = filled.indexOf(lineBreak, kept); end !== -1; end = filled.indexOf(lineBreak, start)) {
        const json = filled.subarray(start + proofLength, end);
        if (filled.toString("latin1", start, start + proofLength) !== proofOf(json)) return;
        yield JSON.parse(json.toString());
        start = end + 1;
      }
      filled.copy(bytes, 0, start);
      kept = filled.length - start;
    }
  } finally {
    await file.close();
  }
}

const blockSize = 1024 * 1024;
const lineBreak = 0x0a;
const proofLength = 9;
const proofOf = (json: string | Buffer): string => `${crc32(json).toString(16).padStart(8, "0")} `;
