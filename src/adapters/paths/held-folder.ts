import { constants } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../system-code.ts";

/** A folder that is held open: a path made with `at` is inside of it, even where somebody has put a link in its place since. */
export type HeldFolder = {
  /** The folder itself. */
  path: string;
  at(name: string): string;
  /** Makes what came into it durable. */
  flush(): Promise<void>;
  /** Holds a folder inside of it for as long as the work takes. Fails with ENOTDIR where a link stands in its place. */
  enter<Result>(name: string, work: Work<Result>, options?: HoldOptions): Promise<Result>;
};

type Work<Result> = (folder: HeldFolder) => Promise<Result>;

type HoldOptions = {
  /** Makes the folder where it is missing. */
  make?: boolean;
};

/** Goes down from `root` one name after the other, follows no link, and holds the last folder for as long as the work takes. */
export function inFolder<Result>(root: string, names: readonly string[], work: Work<Result>, options: HoldOptions = {}): Promise<Result> {
  const descend = ([name, ...rest]: readonly string[], folder: HeldFolder): Promise<Result> =>
    name === undefined ? work(folder) : folder.enter(name, (inside) => descend(rest, inside), options);
  return hold({ path: root, named: root }, (folder) => descend(names, folder), options);
}

type Place = { path: string; named: string };

async function hold<Result>({ path, named }: Place, work: Work<Result>, { make = false }: HoldOptions): Promise<Result> {
  if (make) await makeUnlessThere(path);
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const base = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : named;
    // Elsewhere a folder cannot be reached by its handle. Its name has to do there, and only the last step is safe from being swapped.
    const at = (name: string) => join(base, name);
    return await work({
      path: base,
      at,
      flush: () => handle.sync(),
      enter: (name, inside, options = {}) => hold({ path: at(name), named: join(named, name) }, inside, options),
    });
  } finally {
    await handle.close();
  }
}

async function makeUnlessThere(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (systemCode(error) !== "EEXIST") throw error;
  });
}
