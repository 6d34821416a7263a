import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** What the schemas say about themselves: under `Session` about the shape, under `Session.preview` about a field. */
export type FieldComments = ReadonlyMap<string, string>;

/** Zod keeps no comments, so they are read off the code, which has them on one line above what they are about. */
export async function readFieldComments(): Promise<FieldComments> {
  const found = new Map<string, string>();
  for await (const path of glob("src/schema/*.ts", { cwd: root })) {
    for (const [key, comment] of commentsIn(await readFile(join(root, path), "utf8"))) found.set(key, comment);
  }
  return found;
}

function* commentsIn(source: string): Generator<[key: string, comment: string]> {
  let shape = "";
  let comment: string | null = null;
  for (const line of source.split("\n")) {
    const declared = /^(?:export )?const (\w+) = /.exec(line)?.[1];
    const field = /^ {2}(\w+)(?:,|: )/.exec(line)?.[1];
    if (declared !== undefined) shape = declared;
    const key = declared ?? (field === undefined ? null : `${shape}.${field}`);
    if (key !== null && comment !== null) yield [key, comment];
    comment = /^ *\/\*\* (.*) \*\/$/.exec(line)?.[1] ?? null;
  }
}
