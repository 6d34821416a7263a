import { opendir } from "node:fs/promises";
import { systemCode } from "../../system-code.ts";
import { stampOfPath } from "../stamp-of-path.ts";
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
  /** Names what `pack` writes, in order. An index that was packed in another way is rebuilt. */
  packing?: string;
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
