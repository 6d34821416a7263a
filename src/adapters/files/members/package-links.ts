import { lstat, readFile, readlink, rename, rm, stat, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { HallError } from "../../../schema/hall-error.ts";
import { makeFolder } from "../durable-write.ts";
import { fileFailure } from "../file-failure.ts";
import { systemCode } from "../../system-code.ts";
import type { Layout } from "../layout.ts";

/**
 * Makes `<home>/node_modules` lead to the packages of the hall, so that members import what the hall ships. A folder that a
 * person made there stays, and is reported.
 */
export async function linkPackages(layout: Layout, project: string): Promise<void> {
  const packages = await findPackages(project);
  const shelves = new Set([...packages.values()].map(({ shelf }) => shelf));
  const [only] = shelves;
  // Installers put some packages beside the hall and some below it; then no one folder has them all.
  const target = shelves.size === 1 && only !== undefined ? only : await linkOneByOne(layout, packages);
  await pointTo(target, layout.nodeModules);
}

type Packages = ReadonlyMap<string, { shelf: string; folder: string }>;

const Dependencies = z.object({ dependencies: z.record(z.string(), z.string()).default({}) });

/** Where Node would find each package that the hall depends on: in the nearest `node_modules` on the way up that has it. */
async function findPackages(project: string): Promise<Packages> {
  const { dependencies } = Dependencies.parse(JSON.parse(await readFile(join(project, "package.json"), "utf8")));
  const found = new Map<string, { shelf: string; folder: string }>();
  for (const name of Object.keys(dependencies)) {
    const shelf = await nearestShelf(project, name);
    if (shelf !== null) found.set(name, { shelf, folder: join(shelf, name) });
  }
  return found;
}

async function nearestShelf(from: string, name: string): Promise<string | null> {
  const shelf = join(from, "node_modules");
  if (await isFolder(join(shelf, name))) return shelf;
  return dirname(from) === from ? null : nearestShelf(dirname(from), name);
}

async function linkOneByOne({ packageLinks }: Layout, packages: Packages): Promise<string> {
  await makeFolder(packageLinks);
  for (const [name, { folder }] of packages) {
    await makeFolder(dirname(join(packageLinks, name)));
    await pointTo(folder, join(packageLinks, name));
  }
  return packageLinks;
}

/** A link is replaced in one step, so a member that starts meanwhile finds the one or the other. */
async function pointTo(target: string, link: string): Promise<void> {
  try {
    const there = await lstat(link).catch(absent);
    if (there !== null && !there.isSymbolicLink()) throw inTheWay(link);
    if (there !== null && (await readlink(link)) === target) return;
    const coming = join(dirname(link), `.${basename(link)}.link.tmp`);
    await rm(coming, { force: true });
    await symlink(target, coming, "dir");
    await rename(coming, link);
  } catch (error) {
    throw fileFailure(error, link);
  }
}

const inTheWay = (link: string): HallError =>
  new HallError(
    "conflict",
    `${link} is not the hall's link to its packages, so it was left alone, and members may not find what they import. Move it away and restart the hall.`,
  );

const isFolder = async (path: string): Promise<boolean> => (await stat(path).catch(absent))?.isDirectory() ?? false;

function absent(error: unknown): null {
  if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return null;
  throw error;
}
