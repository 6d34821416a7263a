import { existsSync, promises, writeFileSync } from "node:fs";
import type { MakeDirectoryOptions } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded into a hall before anything else: its disk is full from one write on. `FULL_AT_WRITE=3.2.40` is two writes after
 * somebody opened a history to append the third message, and of that write 40 bytes still go in. When it comes to it, the
 * file `FULL_FILE` appears, and when somebody removes that, there is room again for good.
 */
const [message = 0, write = 0, bytes = 0] = (process.env["FULL_AT_WRITE"] ?? "").split(".").map(Number);
const file = process.env["FULL_FILE"] ?? "";
let messages = 0;
let writes = 0;
let hasBegun = false;

function isFull(path: unknown): boolean {
  if (hasBegun) return existsSync(file);
  if (String(path).endsWith("messages.jsonl")) messages += 1;
  if (messages < message) return false;
  writes += 1;
  if (writes <= write) return false;
  hasBegun = true;
  writeFileSync(file, "");
  return true;
}

const failure = (): Error => Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });

const { open, rename, link, mkdir } = promises;
const changed: Partial<typeof promises> = {
  async open(path, flags, mode) {
    if (flags === undefined || flags === "r" || !isFull(path)) return open(path, flags, mode);
    if (bytes === 0) throw failure();
    const handle = await open(path, flags, mode);
    const takeAll = handle.write.bind(handle);
    let left = bytes;
    const write = async (data: Uint8Array, offset: number) => {
      const part = data.subarray(offset, offset + left);
      left -= part.length;
      if (part.length === 0) throw failure();
      return takeAll(part);
    };
    return Object.assign(handle, { write });
  },
  async rename(from, to) {
    if (isFull(to)) throw failure();
    return rename(from, to);
  },
  async link(from, to) {
    if (isFull(to)) throw failure();
    return link(from, to);
  },
};

async function makeFolder(path: string, options: MakeDirectoryOptions): Promise<unknown> {
  if (!existsSync(path) && isFull(path)) throw failure();
  return mkdir(path, options);
}

if (isMainThread && message > 0) {
  Object.assign(promises, changed, { mkdir: makeFolder });
  syncBuiltinESMExports();
}
