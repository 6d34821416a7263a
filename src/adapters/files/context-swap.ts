import { basename, dirname, join } from "node:path";
import { disk } from "./disk.ts";
import type { Disk } from "./disk.ts";
import { linkUnlessThere, throughTemporary } from "./durable-write.ts";
import { systemCode } from "../system-code.ts";

type Swap = {
  path: string;
  data: Uint8Array;
  /** Whether there was a file when the writer looked. */
  isThere: boolean;
  /** Whether the file, which was moved out of everybody's reach, is what the writer looked at. */
  isExpected: (movedTo: string) => Promise<boolean>;
  /** Called right before the new file appears. */
  onChange: () => void;
};

/**
 * Puts a file in the place of the one that the writer looked at, and of no other. Answers false where somebody saved in
 * between, at whatever moment: then what they saved is there. What was there is moved aside before it is compared, so
 * that nothing can be saved to it unseen, and the new file gets its name only while nothing else has it.
 */
export async function swapFile({ path, data, isThere, isExpected, onChange }: Swap, on: Disk = disk): Promise<boolean> {
  const exchange = async (temporary: string): Promise<boolean> => {
    if (!isThere) {
      onChange();
      return linkUnlessThere(temporary, path, on);
    }
    if (!(await moveAside(path, on))) return false;
    try {
      if (!(await isExpected(asideOf(path)))) return false;
      onChange();
      return await linkUnlessThere(temporary, path, on);
    } finally {
      await settleAside(path, on);
    }
  };

  let isSwapped = false;
  await throughTemporary(path, data, on, async (temporary) => {
    isSwapped = await exchange(temporary);
    await on.unlink(temporary);
  });
  return isSwapped;
}

/**
 * Puts back what was moved aside, unless there is something newer by now. A crash may have left it there, so whoever
 * reads or writes calls this first.
 */
export async function settleAside(path: string, on: Disk = disk): Promise<void> {
  const aside = asideOf(path);
  try {
    await linkUnlessThere(aside, path, on);
    await on.unlink(aside);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return;
    // A folder, which somebody put there meanwhile, cannot have two names.
    if (systemCode(error) !== "EPERM") throw error;
    await on.rename(aside, path);
  }
}

async function moveAside(path: string, on: Disk): Promise<boolean> {
  try {
    await on.rename(path, asideOf(path));
    return true;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}

const asideOf = (path: string): string => join(dirname(path), `.${basename(path)}.aside`);
