import { dirname } from "node:path";
import { disk, flushFolder, writeAll } from "./disk.ts";
import type { Disk, DiskFile } from "./disk.ts";
import { fileFailure } from "./file-failure.ts";
import type { BrokenLine } from "./read-json-lines.ts";

export function appendJsonLines(path: string, values: readonly object[], options: { durable: boolean }, on: Disk = disk): Promise<void> {
  return appendLines(path, Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join("")), options, on);
}

/** Puts lines that cannot be read at the end of a file beside theirs, where somebody may mend them. */
export function keepBrokenLines(path: string, broken: readonly BrokenLine[], on: Disk): Promise<void> {
  return appendLines(path, Buffer.concat(broken.flatMap(({ bytes }) => [bytes, lineBreak])), { durable: true }, on);
}

/**
 * Appends whole lines, all or none; with `durable` they survive a power cut once this resolves, and progress goes without.
 * A torn line that a crash left is closed first, so that nothing is glued onto it. One append at a time per file.
 */
async function appendLines(path: string, lines: Buffer, { durable }: { durable: boolean }, on: Disk): Promise<void> {
  if (lines.length === 0) return;
  try {
    const file = await on.open(path, "a+", 0o600);
    try {
      const { size } = await file.stat();
      await appendWhole(file, size, (await endsInLineBreak(file, size)) ? lines : Buffer.concat([lineBreak, lines]));
      if (durable) await file.sync();
      if (durable && size === 0) await flushFolder(dirname(path), on);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileFailure(error, path);
  }
}

/** Appends to one file in the order of the calls, whoever makes them. */
export function createJsonLinesAppender(path: string) {
  let last: Promise<unknown> = Promise.resolve();
  return {
    append(values: readonly object[], options: { durable: boolean }): Promise<void> {
      const done = last.then(() => appendJsonLines(path, values, options));
      last = done.catch(() => undefined);
      return done;
    },
  };
}

async function endsInLineBreak(file: DiskFile, size: number): Promise<boolean> {
  if (size === 0) return true;
  const last = new Uint8Array(1);
  await file.read(last, 0, 1, size - 1);
  return last[0] === 0x0a;
}

const lineBreak = Buffer.from("\n");

/** A full disk may take a part of the lines: that part is taken back. */
export async function appendWhole(file: DiskFile, size: number, lines: Buffer): Promise<void> {
  try {
    await writeAll(file, lines);
  } catch (error) {
    await file.truncate(size);
    throw error;
  }
}
