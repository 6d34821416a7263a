import { open } from "node:fs/promises";
import { fileFailure } from "./file-failure.ts";
import { systemCode } from "../system-code.ts";

const blockBytes = 1024 * 1024;

/** Reads a file that grows: each call returns the lines that were completed since the last one. */
export function createLineReader(path: string): () => Promise<string[]> {
  let offset = 0;
  let unfinished = Buffer.alloc(0);

  async function readNew(): Promise<Buffer> {
    const file = await open(path, "r");
    try {
      const blocks: Buffer[] = [];
      for (;;) {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(blockBytes), 0, blockBytes, offset);
        if (bytesRead === 0) return Buffer.concat(blocks);
        offset += bytesRead;
        blocks.push(buffer.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  }

  return async () => {
    try {
      const bytes = Buffer.concat([unfinished, await readNew()]);
      const end = bytes.lastIndexOf(0x0a) + 1;
      unfinished = bytes.subarray(end);
      return bytes.toString("utf8", 0, end).split("\n").slice(0, -1);
    } catch (error) {
      if (systemCode(error) === "ENOENT") return [];
      throw fileFailure(error, path);
    }
  };
}
