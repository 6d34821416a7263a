import { constants } from "node:fs";
import { lstat, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HallError } from "../../schema/hall-error.ts";
import { systemCode } from "../system-code.ts";
import { openPlainFile } from "./plain-file.ts";
import type { PlainFile } from "./plain-file.ts";

/** A folder that is held open: a path made with `at` is inside of it, even if a link has been put in its place since. */
export type HeldFolder = {
  /** The folder itself. */
  path: string;
  /** Refuses everything that is not the name of one file or folder. */
  at(name: string): string;
  /** Opens a regular file in it for reading. The caller closes it. */
  openFile(name: string): Promise<PlainFile>;
  /** Makes what came into it durable. */
  flush(): Promise<void>;
  /** Holds a folder inside of it for as long as the work takes. Fails with ENOTDIR if a link stands in its place. */
  enter<Result>(name: string, work: Work<Result>, options?: EnterOptions): Promise<Result>;
};

type Work<Result> = (folder: HeldFolder) => Promise<Result>;

type EnterOptions = {
  /** Makes the folder if it is missing, and makes its name in the folder above durable. */
  make?: boolean;
};

type HoldOptions = EnterOptions & { platform?: NodeJS.Platform };

/** Goes down from `root` one name after the other, follows no link, and holds the last folder for as long as the work takes. */
export function inFolder<Result>(
  root: string,
  names: readonly string[],
  work: Work<Result>,
  { make = false, platform = process.platform }: HoldOptions = {},
): Promise<Result> {
  const descend = ([name, ...rest]: readonly string[], folder: HeldFolder): Promise<Result> =>
    name === undefined ? work(folder) : folder.enter(name, (inside) => descend(rest, inside), { make });
  const isReachedByHandle = platform === "linux";
  const above = { checkAbove: async () => undefined, flushAbove: () => flushFolder(dirname(root)) };
  return hold({ path: root, named: root, make, isReachedByHandle, ...above }, (folder) => descend(names, folder));
}

type Place = Required<EnterOptions> & {
  path: string;
  named: string;
  isReachedByHandle: boolean;
  /** Rejects if a folder above is no longer the one that is held. */
  checkAbove: () => Promise<void>;
  flushAbove: () => Promise<void>;
};

async function hold<Result>({ path, named, make, isReachedByHandle, checkAbove, flushAbove }: Place, work: Work<Result>): Promise<Result> {
  if (make && (await makeUnlessThere(path))) await flushAbove();
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  /**
   * Only Linux reaches a folder by its handle. Elsewhere the hall uses its name: it notices a swap only afterwards, and misses a
   * swap that was undone before the check.
   */
  const check = async (): Promise<void> => {
    if (isReachedByHandle) return;
    await checkAbove();
    const [held, found] = await Promise.all([handle.stat(), lstat(named)]);
    if (held.ino !== found.ino || held.dev !== found.dev) throw swapped(named);
  };
  const flush = () => handle.sync();
  const base = isReachedByHandle ? `/proc/self/fd/${handle.fd}` : named;
  const at = (name: string) => join(base, checked(name));
  try {
    await check();
    return await work({
      path: base,
      at,
      async openFile(name) {
        const opened = await openPlainFile(at(name));
        try {
          await check();
          return opened;
        } catch (error) {
          await opened.file?.close();
          throw error;
        }
      },
      flush,
      enter: (name, inside, { make: isMade = false } = {}) =>
        hold({ path: at(name), named: join(named, name), make: isMade, isReachedByHandle, checkAbove: check, flushAbove: flush }, inside),
    });
  } finally {
    await handle.close();
  }
}

/** A path would be resolved by the system in one go, over links too. */
function checked(name: string): string {
  if (!/^\.{0,2}$|[/\0]/.test(name)) return name;
  throw new HallError("bad_request", `${JSON.stringify(name)} is not the name of a file or folder.`);
}

const swapped = (path: string): Error => Object.assign(new Error(`${path} was replaced`), { code: "ENOTDIR" });

/** Returns whether it made the folder. */
async function makeUnlessThere(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

async function flushFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
