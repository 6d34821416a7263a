import { execFile } from "node:child_process";
import { chmod, copyFile, link, mkdir, readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder } from "./temporary-folder.ts";

/** Programs of this checkout, run by a user who is not root. */
export type OrdinaryUser = {
  /** For `spawn`. Empty if the tests themselves run as an ordinary user. */
  ids: { uid?: number; gid?: number };
  node: string;
  pathOf(program: URL): string;
};

const checkout = dirname(import.meta.dirname);

/**
 * If root's checkout is closed to others, as it is in `/root`, the user gets Node, the sources and their packages in a folder of
 * the test. `uid` tells its files from those of tests that run at the same time.
 */
export async function ordinaryUser(uid = 65_534): Promise<OrdinaryUser> {
  const isRoot = process.getuid?.() === 0;
  const ids = isRoot ? { uid, gid: uid } : {};
  const here = { ids, node: process.execPath, pathOf: (program: URL) => fileURLToPath(program) };
  if (!isRoot || (await canRun(here))) return here;
  const copy = await temporaryFolder();
  await chmod(copy, 0o755);
  const node = join(copy, "node");
  await share(process.execPath, node);
  await share(join(checkout, "src"), join(copy, "src"));
  await share(join(checkout, "package.json"), join(copy, "package.json"));
  for (const name of await packagesOfHall()) await share(join(checkout, "node_modules", name), join(copy, "node_modules", name));
  return { ids, node, pathOf: (program) => join(copy, relative(checkout, fileURLToPath(program))) };
}

async function canRun({ ids, node }: Pick<OrdinaryUser, "ids" | "node">): Promise<boolean> {
  const program = "process.exit(require('node:fs').existsSync(process.argv[1]) ? 0 : 1)";
  return promisify(execFile)(node, ["--eval", program, fileURLToPath(import.meta.url)], { ...ids, cwd: "/" }).then(
    () => true,
    () => false,
  );
}

/** Only pages need these, and they are most of the files. */
const packagesOfPages = ["next", "react", "react-dom"];

/** What the sources import, and what that depends on in turn. Packages of other platforms are not there. */
async function packagesOfHall(): Promise<string[]> {
  const found = new Set<string>();
  async function add(name: string): Promise<void> {
    const folder = join(checkout, "node_modules", name);
    if (found.has(name) || packagesOfPages.includes(name) || !(await isThere(folder))) return;
    found.add(name);
    for (const each of await dependenciesOf(folder)) await add(each);
  }
  for (const name of await dependenciesOf(checkout)) await add(name);
  return [...found];
}

async function dependenciesOf(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, "package.json"), "utf8");
  const { dependencies, optionalDependencies } = JSON.parse(text) as Record<string, Record<string, string> | undefined>; // as npm wrote it
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

/** Puts a file or folder where others can read it: as a hard link if that is possible, or else as a copy. */
async function share(from: string, to: string): Promise<void> {
  const found = await stat(from);
  if (found.isDirectory()) {
    await mkdir(to, { recursive: true });
    for (const name of await readdir(from)) await share(join(from, name), join(to, name));
    return;
  }
  const othersMayRead = (found.mode & 0o004) !== 0;
  if (othersMayRead && (await isLinked(from, to))) return;
  await copyFile(from, to);
  await chmod(to, (found.mode & 0o100) === 0 ? 0o644 : 0o755);
}

const isLinked = (from: string, to: string): Promise<boolean> =>
  link(from, to).then(
    () => true,
    () => false,
  );

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
