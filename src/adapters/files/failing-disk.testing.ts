import { disk } from "./disk.ts";
import type { Disk, DiskFile } from "./disk.ts";

/** The machine is gone: nothing after this happened, not even the cleaning up. */
export class PowerCut extends Error {}

/**
 * The real disk, until so many units of work are done. Each byte written is one unit, and so is each other operation that
 * changes something: counting up from 0 visits every instant at which a writer can die. With `wholeWrites` a write is one
 * unit too, for work of so many steps that the bytes in between would take too long.
 */
export function createDyingDisk(units: number, { wholeWrites = false } = {}): Disk {
  let left = units;
  const spend = () => {
    if (left <= 0) throw new PowerCut();
    left -= 1;
  };
  return {
    async open(path, flags, mode) {
      if (flags !== "r") spend();
      return dyingFile(await disk.open(path, flags, mode), spend, () => left, wholeWrites);
    },
    async rename(from, to) {
      spend();
      await disk.rename(from, to);
    },
    async link(from, to) {
      spend();
      await disk.link(from, to);
    },
    async unlink(path) {
      spend();
      await disk.unlink(path);
    },
  };
}

function dyingFile(file: DiskFile, spend: () => void, left: () => number, wholeWrites: boolean): DiskFile {
  return {
    ...forward(file),
    async write(data, offset) {
      if (wholeWrites) {
        spend();
        return file.write(data, offset);
      }
      const whole = data.length - offset;
      const part = Math.min(whole, left());
      if (part > 0) await file.write(data.subarray(offset, offset + part), 0);
      for (let byte = 0; byte < whole; byte += 1) spend();
      return { bytesWritten: part };
    },
    async truncate(size) {
      spend();
      await file.truncate(size);
    },
    async sync() {
      spend();
      await file.sync();
    },
  };
}

/** The real disk, on which only so many bytes are left. */
export function createSmallDisk(bytes: number): Disk {
  let left = bytes;
  return {
    ...disk,
    async open(path, flags, mode) {
      const file = await disk.open(path, flags, mode);
      return {
        ...forward(file),
        async write(data, offset) {
          const part = Math.min(data.length - offset, left);
          if (part === 0) throw systemError("ENOSPC", "no space left on device, write");
          left -= part;
          return file.write(data.subarray(offset, offset + part), 0);
        },
      };
    },
  };
}

export const systemError = (code: string, message: string): Error => Object.assign(new Error(`${code}: ${message}`), { code });

const forward = (file: DiskFile): DiskFile => ({
  stat: () => file.stat(),
  read: (into, offset, length, position) => file.read(into, offset, length, position),
  write: (data, offset) => file.write(data, offset),
  truncate: (size) => file.truncate(size),
  sync: () => file.sync(),
  close: () => file.close(),
});
