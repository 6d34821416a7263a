import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Random } from "./random.ts";

/** What was done to which file, by its path in the home. `bytes` is what is in it now. */
export type Damage = { path: string; how: string; bytes: Buffer };

/** Breaks one file of a home that no hall has open: any, and in any way. */
export async function damage(home: string, random: Random): Promise<Damage> {
  const path = await chooseFile(home, random);
  const whole = await readFile(join(home, path));
  const [how, distort] = random.oneOf(ways);
  const bytes = distort(whole, random);
  await writeFile(join(home, path), bytes);
  return { path, how, bytes };
}

/** First a part of the home and then a file of it, so that a folder of many files is not all that is ever hit. */
async function chooseFile(home: string, random: Random): Promise<string> {
  const found = await readdir(home, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(home, join(entry.parentPath, entry.name)))
    .toSorted();
  const parts = [...new Set(paths.map(partOf))].toSorted();
  const part = parts[random.below(parts.length)] ?? "";
  const inPart = paths.filter((path) => partOf(path) === part);
  const chosen = inPart[random.below(inPart.length)];
  if (chosen === undefined) throw new Error(`There is no file in ${home}.`);
  return chosen;
}

/** Ids differ from run to run, and the seed must not: the names of files in a session say enough. */
const partOf = (path: string): string =>
  path.startsWith("sessions/") ? `sessions/${path.split("/").slice(2).join("/")}` : path.split("/").slice(0, 2).join("/");

type Way = (whole: Buffer, random: Random) => Buffer;

const ways: readonly [[string, Way], ...[string, Way][]] = [
  ["cut", (whole, random) => whole.subarray(0, random.below(whole.length))],
  ["emptied", () => Buffer.alloc(0)],
  ["zeroed", (whole) => Buffer.alloc(whole.length)],
  ["one byte lost its bits", (whole, random) => withByte(whole, random.below(whole.length), 0x00)],
  ["one byte is no text", (whole, random) => withByte(whole, random.below(whole.length), 0xff)],
  [
    "a picture",
    () => Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64"),
  ],
  ["another document", () => Buffer.from('{ "version": 1, "shopping": ["milk", "bread"] }\n')],
  ["of a version to come", () => Buffer.from('{ "version": 99 }\n')],
  ["half of it twice", (whole) => Buffer.concat([whole.subarray(0, whole.length / 2), whole])],
];

function withByte(whole: Buffer, at: number, byte: number): Buffer {
  const changed = Buffer.from(whole);
  if (changed.length > 0) changed[at] = byte;
  return changed;
}
