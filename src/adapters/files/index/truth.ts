import { opendir, stat } from "node:fs/promises";
import { setImmediate as breathe } from "node:timers/promises";
import { systemCode } from "../file-failure.ts";
import type { Entry } from "./entry.ts";

/** The files an index is about: one per name, each readable by itself. */
export type Truth<Value> = {
  folder: string;
  /** Whether a name in the folder is one of ours. */
  isName: (name: string) => boolean;
  pathOf: (name: string) => string;
  /** Where each file has a folder of its own: while that is there, the value is there too, with or without the file. */
  folderOf?: (name: string) => string;
  /** Never rejects for a broken file: that is a value too. */
  read: (name: string) => Promise<Value>;
  /** What the list is sorted by, largest first. */
  rankOf: (value: Value) => string;
  /** What the list is filtered by. */
  labelOf: (value: Value) => string;
  /** What the list is searched in. */
  textOf: (value: Value) => string;
  /** A short text on one line, and back. What name, rank and label already say need not be in it. */
  pack: (value: Value) => string;
  unpack: (entry: Entry) => Value;
};

/** Everything in the folder, whether it is one of ours or not, some at a time: 100,000 names at once would be felt. */
export async function listFolder<Value>({ folder }: Truth<Value>): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(folder, { bufferSize: namesAtOnce })) names.push(name);
    return names;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

const namesAtOnce = 2000;

/** Tells one state of a value from another; null where there is no value of that name. */
export async function stampOf<Value>({ pathOf, folderOf }: Truth<Value>, name: string): Promise<string | null> {
  return (await stampOfPath(pathOf(name))) ?? (folderOf === undefined ? null : await stampOfPath(folderOf(name)));
}

/** Null where there is no such file. What cannot be looked at for another reason is there all the same; reading it tells why. */
export async function stampOfPath(path: string): Promise<string | null> {
  try {
    const { ctimeMs, size, ino } = await stat(path);
    // Times of files tick, so one that changed just now can change again and look the same: this stamp equals no other.
    const isFresh = Date.now() - ctimeMs < longestTickMs;
    return `${ctimeMs}-${size}-${ino}${isFresh ? `-${performance.now()}` : ""}`;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code === "ENOENT" || code === "ENOTDIR" ? null : code;
  }
}

const longestTickMs = 50;

/** Few at a time, with a breath in between: looking at 100,000 files must not be felt by anybody who asks something else. */
export async function inBatches<Item>(items: Iterable<Item>, size: number, work: (item: Item) => Promise<void>): Promise<void> {
  let batch: Promise<void>[] = [];
  for (const item of items) {
    batch.push(work(item));
    if (batch.length < size) continue;
    await Promise.all(batch);
    await breathe();
    batch = [];
  }
  await Promise.all(batch);
}
