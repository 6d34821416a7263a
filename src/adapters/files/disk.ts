import { link, open, rename, unlink } from "node:fs/promises";
import { systemCode } from "../system-code.ts";

/** The part of a file system that writing needs. A test hands in one that runs full or dies in the middle. */
export type Disk = {
  open(path: string, flags: string, mode?: number): Promise<DiskFile>;
  rename(from: string, to: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
};

export type DiskFile = {
  stat(): Promise<{ size: number }>;
  read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  write(data: Uint8Array, offset: number): Promise<{ bytesWritten: number }>;
  truncate(size: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
};

export const disk: Disk = { open, rename, link, unlink };

/** A short write is no failure: what is left is written next. */
export async function writeAll(file: DiskFile, data: Uint8Array): Promise<void> {
  for (let offset = 0; offset < data.length;) offset += (await file.write(data, offset)).bytesWritten;
}

/** Makes a new name durable. Some network file systems cannot flush a folder and say so; there is nothing more to do there. */
export async function flushFolder(folder: string, on: Disk): Promise<void> {
  const handle = await on.open(folder, "r");
  try {
    await handle.sync();
  } catch (error) {
    if (!["EINVAL", "ENOTSUP"].includes(systemCode(error) ?? "")) throw error;
  } finally {
    await handle.close();
  }
}
