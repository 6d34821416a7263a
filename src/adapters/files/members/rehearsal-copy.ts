import type { Stats } from "node:fs";
import { cp, lstat, mkdtemp, readdir, realpath, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { MemberName } from "../../../schema/ids.ts";
import { makeFolder } from "../durable-write.ts";
import { fileFailure } from "../file-failure.ts";
import { createLayout } from "../layout.ts";
import type { Layout } from "../layout.ts";
import { linkPackages } from "./package-links.ts";

export type RehearsalCopy = {
  /** Of a home that is there for this rehearsal alone. */
  layout: Layout;
  folder: string;
  /** What is new or different since, by its path below the folder. */
  changes(): Promise<string[]>;
  remove(): Promise<void>;
};

/** A member without its jobs and memories, in a home of its own, where it finds the packages that it finds at home. */
export async function copyForRehearsal(from: string, name: MemberName, project: string): Promise<RehearsalCopy> {
  const source = await realpath(from);
  const layout = createLayout(await mkdtemp(join(await realpath(tmpdir()), "guild-hall-rehearsal-")));
  const folder = layout.guildMember(name);
  const remove = () => rm(layout.home, { recursive: true, force: true, maxRetries: 5 });
  try {
    await makeFolder(folder);
    await cp(source, folder, { recursive: true, filter: (path) => isOfMember(relative(source, path)) });
    const own = await nearestPackages(source);
    if (own !== null) await symlink(own, join(folder, "node_modules"), "dir");
    await linkPackages(layout, project);
    const before = await stamps(folder);
    return { layout, folder, remove, changes: async () => changed(before, await stamps(folder)) };
  } catch (error) {
    await remove();
    throw fileFailure(error, source);
  }
}

const isOfMember = (path: string): boolean => !/^(?:jobs|memory)$|(?:^|[\\/])(?:node_modules|\.git)$/.test(path);

/** Where Node would look first. The copy lies elsewhere, so on its own way up there is nothing. */
async function nearestPackages(folder: string): Promise<string | null> {
  const packages = join(folder, "node_modules");
  if (
    await stat(packages).then(
      (found) => found.isDirectory(),
      () => false,
    )
  )
    return packages;
  return dirname(folder) === folder ? null : nearestPackages(dirname(folder));
}

type Stamps = ReadonlyMap<string, string>;

/** Of what is not hidden. Links are not followed: what they lead to is not the member's. */
async function stamps(folder: string): Promise<Stamps> {
  const found = new Map<string, string>();
  for (const file of await filesIn(folder)) found.set(relative(folder, file), stampOf(await lstat(file)));
  return found;
}

/** Folder by folder, because `readdir` with `recursive` follows links from Node 26 on. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !name.startsWith("."));
  const pathOf = ({ name }: { name: string }) => join(folder, name);
  const below = await Promise.all(entries.filter((entry) => entry.isDirectory()).map((entry) => filesIn(pathOf(entry))));
  return [...entries.filter((entry) => entry.isFile()).map(pathOf), ...below.flat()];
}

const stampOf = ({ size, mtimeMs, ino }: Stats): string => `${size} ${mtimeMs} ${ino}`;

const changed = (before: Stamps, now: Stamps): string[] =>
  [...now]
    .filter(([path, stamp]) => before.get(path) !== stamp)
    .map(([path]) => path)
    .toSorted();
