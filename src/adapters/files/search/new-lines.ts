import type { Stats } from "node:fs";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { systemCode } from "../../system-code.ts";

/** How far a file was read: to which byte, and what was there. */
export type Progress = { ino: number; stamp: string; done: number; sum: number; tail: number };

/** What a look at a file found: whole lines after what was read before, each with its place, and how far that is now. */
export type Look = {
  /** The file is not the one that was read before: all that is known of it is void, and these lines are its first. */
  isOther: boolean;
  lines: { offset: number; text: string }[];
  progress: Progress;
  hasMore: boolean;
};

export const nothingRead: Progress = { ino: 0, stamp: "", done: 0, sum: 0, tail: 0 };

const blockSize = 256 * 1024;
const shortBlock = 16 * 1024;
/** No message is as long as this; a line that is, is none. */
const longestLine = 256 * blockSize;
const tailLength = 256;
const lineBreak = 0x0a;

/**
 * The next lines of a file that mostly grows. Only what is new is read, unless the file was changed in what was read
 * before, which its last bytes tell, or, where it did not grow, its sum. Null where nothing changed; "gone" where there is
 * no file. It waits for the disk, so it is for a thread of its own.
 */
export function readNewLines(path: string, known: Progress): Look | "gone" | null {
  const file = openOrNot(path);
  if (file === null) return "gone";
  try {
    const stats = fstatSync(file);
    const { size, ino } = stats;
    const stamp = stampOf(stats);
    if (stamp === known.stamp) return null;
    const isSame = known.done === 0 || (ino === known.ino && size >= known.done && isUnchanged(file, known, size));
    const from = isSame ? known : { ...nothingRead };
    const { lines, bytes, hasMore } = nextLines(file, from.done, size);
    const done = from.done + bytes.length;
    const progress = {
      ino,
      stamp: hasMore ? "" : stamp,
      done,
      sum: crc32(bytes, from.sum),
      tail: crc32(readAt(file, Math.max(0, done - tailLength), Math.min(tailLength, done))),
    };
    return { isOther: !isSame, lines, progress, hasMore };
  } finally {
    closeSync(file);
  }
}

/** Times of files tick: one that changed just now can change again and look the same, so its stamp is none to rely on. */
export const stampOf = ({ ctimeMs, size, ino }: Stats): string =>
  `${ctimeMs}-${size}-${ino}${Date.now() - ctimeMs < longestTickMs ? `-${performance.now()}` : ""}`;

const longestTickMs = 50;

/** The line that begins at a place; null where there is none any more. */
export function readLineAt(path: string, offset: number): string | null {
  const file = openOrNot(path);
  if (file === null) return null;
  try {
    return nextLines(file, offset, fstatSync(file).size, { most: 1, length: shortBlock }).lines[0]?.text ?? null;
  } finally {
    closeSync(file);
  }
}

function openOrNot(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(systemCode(error) ?? "")) return null;
    throw error;
  }
}

function isUnchanged(file: number, { done, sum, tail, stamp }: Progress, size: number): boolean {
  if (size > done || stamp === "") return crc32(readAt(file, Math.max(0, done - tailLength), Math.min(tailLength, done))) === tail;
  let found = 0;
  for (let at = 0; at < done; at += blockSize) found = crc32(readAt(file, at, Math.min(blockSize, done - at)), found);
  return found === sum;
}

/** Whole lines, as many as fit into a block, but at least one; a last line without its break counts if it is whole JSON. */
function nextLines(
  file: number,
  start: number,
  size: number,
  { most, length: first }: { most: number; length: number } = { most: Infinity, length: blockSize },
): { lines: Look["lines"]; bytes: Buffer; hasMore: boolean } {
  for (let length = first; ; length *= 2) {
    const block = readAt(file, start, Math.min(length, size - start));
    const isAtEnd = start + block.length >= size;
    const lines: Look["lines"] = [];
    let from = 0;
    for (let end = block.indexOf(lineBreak); end !== -1 && lines.length < most; end = block.indexOf(lineBreak, from)) {
      if (end > from) lines.push({ offset: start + from, text: block.toString("utf8", from, end) });
      from = end + 1;
    }
    const rest = block.toString("utf8", from);
    if (isAtEnd && lines.length < most && isJson(rest)) {
      lines.push({ offset: start + from, text: rest });
      from = block.length;
    }
    if (from > 0 || isAtEnd) return { lines, bytes: block.subarray(0, from), hasMore: !isAtEnd };
    if (length >= longestLine) return { lines: [], bytes: block, hasMore: true };
  }
}

function readAt(file: number, start: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, length));
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
}

function isJson(text: string): boolean {
  try {
    return text.trim() !== "" && JSON.parse(text) !== null;
  } catch {
    return false;
  }
}
