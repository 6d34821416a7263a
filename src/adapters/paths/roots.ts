import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, rename, rm } from "node:fs/promises";
import { HallError } from "../../schema/hall-error.ts";
import { systemCode } from "../system-code.ts";
import { inFolder } from "./held-folder.ts";
import type { HeldFolder } from "./held-folder.ts";
import { namesIn } from "./path-names.ts";
import { problemOf } from "./plain-file.ts";
import type { PlainFile } from "./plain-file.ts";
import { readAll } from "./read-regular-file.ts";

export type Root = { name: string; folder: string; isWritable: boolean };

export type ResolvedPath = {
  root: Root;
  /** Empty for the root itself. */
  names: readonly string[];
};

/**
 * Folders in which an untrusted caller may name paths, as `<root>/<path>` or `<root>:<path>`. No operation follows a link, waits
 * for a pipe or leaves the root, whatever is swapped while it runs. Refusals are sentences without a path of this machine.
 */
export type Roots = {
  /** By its text alone. */
  resolve(path: string): ResolvedPath;
  /** The caller closes it. */
  open(path: string): Promise<Extract<PlainFile, { problem: null }>>;
  read(path: string, mostBytes: number): Promise<Buffer>;
  /** The file appears whole and durable, in folders that are made if they are missing. */
  write(path: string, data: string | Uint8Array): Promise<void>;
  mkdir(path: string): Promise<void>;
};

export function createRoots(roots: readonly Root[], platform: NodeJS.Platform = process.platform): Roots {
  const listed = (some: readonly Root[]) => some.map(({ name }) => `${name}/`).join(", ") || "nothing";
  const readable = `Readable: ${listed(roots)}.`;
  const writable = `Writable: ${listed(roots.filter(({ isWritable }) => isWritable))}.`;

  function resolve(path: string): ResolvedPath {
    const { names, problem } = namesIn(path);
    if (names === null) throw new HallError("bad_request", `${problem} ${readable}`);
    const [first, ...rest] = names;
    const root = roots.find(({ name }) => name === first);
    if (root === undefined) throw new HallError("bad_request", `${shown(path)} is in no folder that can be reached. ${readable}`);
    return { root, names: rest };
  }

  function resolveWritable(path: string): ResolvedPath {
    const resolved = resolve(path);
    if (resolved.root.isWritable) return resolved;
    throw new HallError("bad_request", `${shown(path)} can only be read. ${writable}`);
  }

  /** The folder of a file, and the file's name in it. */
  const inParent = <Result>(path: string, { root, names }: ResolvedPath, make: boolean, work: Work<Result>): Promise<Result> => {
    const name = names.at(-1);
    if (name === undefined) throw new HallError("bad_request", `${shown(path)} is a folder.`);
    return inFolder(root.folder, names.slice(0, -1), (folder) => work(folder, name), { make, platform });
  };

  const openIn = (path: string): Promise<PlainFile> => inParent(path, resolve(path), false, (folder, name) => folder.openFile(name));

  return {
    resolve,
    open: (path) =>
      inWords(path, async () => {
        const opened = await openIn(path);
        if (opened.file === null) throw refusal(path, opened.problem);
        return opened;
      }),
    read: (path, mostBytes) =>
      inWords(path, async () => {
        const { bytes, problem } = await readAll(await openIn(path), mostBytes);
        if (bytes !== null) return bytes;
        throw problem === "large" ? new HallError("too_large", `${shown(path)} has more than ${mostBytes} bytes.`) : refusal(path, problem);
      }),
    write: (path, data) =>
      inWords(path, () =>
        inParent(path, resolveWritable(path), true, async (folder, name) => {
          await refuseSpecial(path, folder, name);
          await replaceFile(folder, name, data);
        }),
      ),
    mkdir: (path) =>
      inWords(path, async () => {
        const { root, names } = resolveWritable(path);
        await inFolder(root.folder, names, (folder) => folder.flush(), { make: true, platform });
      }),
  };
}

type Work<Result> = (folder: HeldFolder, name: string) => Promise<Result>;

const problems = {
  link: "is a link, and links are not followed",
  folder: "is a folder",
  special: "is neither a file nor a folder",
};

const refusal = (path: string, problem: keyof typeof problems): HallError =>
  new HallError("bad_request", `${shown(path)} ${problems[problem]}.`);

const shown = (path: string): string => JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);

/** For the sake of the sentence: what comes into its place after this is replaced and never followed. */
async function refuseSpecial(path: string, folder: HeldFolder, name: string): Promise<void> {
  const found = await lstat(folder.at(name)).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  });
  const problem = found === null ? null : problemOf(found);
  if (problem !== null) throw refusal(path, problem);
}

async function replaceFile(folder: HeldFolder, name: string, data: string | Uint8Array): Promise<void> {
  const temporary = folder.at(temporaryName());
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  try {
    const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, folder.at(name));
    await folder.flush();
  } catch (error) {
    // The failure of the write is what matters.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** In the form that lists of artifacts leave out. */
const temporaryName = (): string =>
  `.new.${process.pid}-${Math.floor(performance.timeOrigin).toString(36)}-${randomUUID().replaceAll("-", "")}.tmp`;

/** Puts what the system refuses into a sentence. */
async function inWords<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const failure = failures[systemCode(error) ?? ""];
    if (failure === undefined) throw error;
    throw new HallError(failure.code, `${shown(path)} ${failure.words}.`, { cause: error });
  }
}

type Failure = { code: "bad_request" | "not_found" | "disk_full"; words: string };

const overLink: Failure = { code: "bad_request", words: "leads over a link or a file, and neither is followed" };
const notAllowed: Failure = { code: "bad_request", words: "is closed to the user who runs the hall" };
const full: Failure = { code: "disk_full", words: "was not written, because the disk is full. What was there before is unchanged" };

const failures: Readonly<Record<string, Failure>> = {
  ENOENT: { code: "not_found", words: "does not exist" },
  ENOTDIR: overLink,
  ELOOP: overLink,
  EISDIR: { code: "bad_request", words: "is a folder" },
  ENAMETOOLONG: { code: "bad_request", words: "has a name that is too long for this disk" },
  EACCES: notAllowed,
  EPERM: notAllowed,
  ENOSPC: full,
  EDQUOT: full,
};
