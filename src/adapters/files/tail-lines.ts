import { open } from "node:fs/promises";
import { HallError } from "../../schema/hall-error.ts";
import { fileFailure } from "./file-failure.ts";
import { systemCode } from "../system-code.ts";

/** The bytes of some lines of a file, and where they begin in it. The last line of the file may lack its line break. */
export type LinePage = { bytes: Buffer; start: number };

const blockSize = 64 * 1024;
/** The most of one line that is read: half of the longest text that Node can hold. Earlier versions stored messages of 150 MB. */
const mostLineBytes = 256 * 1024 * 1024;
const lineBreak = 0x0a;

export type LinesWanted = {
  limit: number;
  /** The end of the file unless given. */
  before?: number | undefined;
  /** Fewer lines are read if they are larger than this together, but always one. */
  mostBytes?: number | undefined;
};

/** The last lines before a place in a file, without reading what comes before them. */
export async function readLastLines(path: string, wanted: LinesWanted): Promise<LinePage> {
  const { limit, before, mostBytes = Infinity } = wanted;
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      let start = Math.min(before ?? size, size);
      const blocks: Buffer[] = [];
      // One break more than lines: the one that ends the line before the page.
      let unbroken = 0;
      for (let breaks = 0, read = 0; start > 0 && breaks <= limit && (read <= mostBytes || breaks < 2);) {
        const block = Buffer.alloc(Math.min(blockSize, start));
        start -= block.length;
        read += block.length;
        await file.read(block, 0, block.length, start);
        blocks.unshift(block);
        const found = countBreaks(block);
        breaks += found;
        unbroken = found > 0 ? 0 : unbroken + block.length;
        if (unbroken > mostLineBytes) throw tooLarge(path);
      }
      return lastOf(Buffer.concat(blocks), start, { limit, mostBytes });
    } finally {
      await file.close();
    }
  } catch (error) {
    if (systemCode(error) === "ENOENT") return { bytes: Buffer.alloc(0), start: 0 };
    throw fileFailure(error, path);
  }
}

const tooLarge = (path: string): HallError =>
  new HallError("file_broken", `${path} is broken: it has a line of more than 256 MiB. It was left as it is; move it away.`, {
    details: { path },
  });

function lastOf(bytes: Buffer, offset: number, { limit, mostBytes }: { limit: number; mostBytes: number }): LinePage {
  let from = bytes.length;
  for (let count = 0; count < limit && from > 0; count += 1) {
    // A negative place would count from the end: before an empty first line there is nothing.
    const next = from < 2 ? 0 : bytes.lastIndexOf(lineBreak, from - 2) + 1;
    if (count > 0 && bytes.length - next > mostBytes) break;
    from = next;
  }
  return { bytes: bytes.subarray(from), start: offset + from };
}

function countBreaks(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineBreak); at !== -1; at = bytes.indexOf(lineBreak, at + 1)) count += 1;
  return count;
}
