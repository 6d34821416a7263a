import { constants } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { syncFolder, systemCode, writeNew } from "./durable-file.ts";

export const maxArtifactBytes = 10 * 1024 * 1024;
const maxArtifacts = 500;
const maxDepth = 8;
const folderName = "artifacts";

/** Writes one file below `artifacts/` of the job's folder and answers its path as results name it. */
export async function writeArtifact(jobFolder: string, path: string, content: string | Uint8Array): Promise<string> {
  const names = splitPath(path);
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  if (bytes.length > maxArtifactBytes) throw new Error(`${path} has ${bytes.length} bytes; an artifact may have ${maxArtifactBytes}.`);
  const written = [folderName, ...names].join("/");
  const there = await listArtifacts(jobFolder);
  if (!there.includes(written) && there.length >= maxArtifacts)
    throw new Error(`There are ${maxArtifacts} artifacts already, and no room for more.`);
  // Half a file is never among the artifacts: it grows outside, and comes in as a whole.
  const temporary = join(jobFolder, `.artifact.${randomUUID()}.tmp`);
  try {
    await writeNew(temporary, bytes);
    await inFolder(jobFolder, [folderName, ...names.slice(0, -1)], { make: true }, (folder) =>
      rename(temporary, join(folder, names.at(-1) ?? "")),
    );
  } catch (error) {
    await rm(temporary, { force: true });
    throw inWords(error, path);
  }
  await syncFolder(jobFolder);
  return written;
}

/** The file, or null where there is none. */
export async function readArtifact(jobFolder: string, path: string): Promise<Buffer | null> {
  const names = splitPath(path);
  try {
    return await inFolder(jobFolder, [folderName, ...names.slice(0, -1)], { make: false }, (folder) =>
      readRegular(join(folder, names.at(-1) ?? "")),
    );
  } catch (error) {
    if (isElsewhere(error)) return null;
    throw error;
  }
}

/** All files below `artifacts/`, as results name them. */
export async function listArtifacts(jobFolder: string): Promise<string[]> {
  const list = async (names: string[]): Promise<string[]> => {
    const entries = await inFolder(jobFolder, names, { make: false }, (folder) => readdir(folder, { withFileTypes: true }));
    const inside = entries.map(async (entry) => {
      if (entry.isDirectory()) return names.length > maxDepth ? [] : list([...names, entry.name]);
      return entry.isFile() ? [[...names, entry.name].join("/")] : [];
    });
    return (await Promise.all(inside)).flat();
  };
  try {
    return (await list([folderName])).toSorted();
  } catch (error) {
    if (isElsewhere(error)) return [];
    throw error;
  }
}

/** The names on the way to a file. What a model calls a path is a path only if each of its names is a plain one. */
export function splitPath(path: string): string[] {
  const names = (path.startsWith(`${folderName}/`) ? path.slice(folderName.length + 1) : path).split("/");
  const isPlain = (name: string): boolean =>
    name !== "" && name !== "." && name !== ".." && Buffer.byteLength(name) <= 200 && !/[\\\u0000-\u001f\u007f]/.test(name);
  if (names.length > maxDepth || !names.every(isPlain) || !path.isWellFormed()) {
    throw new Error(`"${path.slice(0, 100)}" cannot be the path of an artifact: say a name like "table.csv" or "data/table.csv".`);
  }
  return names;
}

/**
 * Goes down from the job's folder one name after the other and holds each folder open, so that a link on the way, even one put
 * there a moment ago, leads nowhere.
 */
async function inFolder<Result>(
  path: string,
  [name, ...rest]: string[],
  options: { make: boolean },
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  if (name === undefined) return work(path);
  const next = join(path, name);
  if (options.make) await mkdir(next, { mode: 0o700 }).catch(unlessThere);
  const handle = await open(next, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    // Elsewhere a folder cannot be reached by its handle, and its name has to do.
    const result = await inFolder(process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : next, rest, options, work);
    if (options.make) await handle.sync();
    return result;
  } finally {
    await handle.close();
  }
}

/** Not a link, and not a pipe, at which a reader would wait for ever. */
async function readRegular(path: string): Promise<Buffer | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return null;
    if (stat.size > maxArtifactBytes) throw new Error(`The file has ${stat.size} bytes; at most ${maxArtifactBytes} are given out.`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

const unlessThere = (error: unknown): void => {
  if (systemCode(error) !== "EEXIST") throw error;
};

/** Nothing there, or something that is no plain file or folder in the way. */
const isElsewhere = (error: unknown): boolean => ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"].includes(systemCode(error) ?? "");

function inWords(error: unknown, path: string): unknown {
  const code = systemCode(error);
  if (code === "ENOTDIR" || code === "ELOOP" || code === "EISDIR" || code === "ENOTEMPTY" || code === "EEXIST") {
    return new Error(`${path} cannot be written: a file is where a folder is needed, or a folder where the file is.`, { cause: error });
  }
  return error;
}
