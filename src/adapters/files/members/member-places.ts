import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isAboutThisProcess } from "../file-failure.ts";
import { systemCode } from "../../system-code.ts";
import { inBatches } from "../in-batches.ts";

/** A name in `guild-members/` or in a collection. `lost` says why it cannot be entered. */
export type MemberPlace = { folder: string; path: string; isLink: boolean; lost: string | null };

/** What may be a member or a collection: folders and links to folders, but nothing hidden and no packages. */
export async function memberPlaces(guildMembers: string, collection = ""): Promise<MemberPlace[]> {
  const entries = await readFolder(join(guildMembers, collection));
  const places = await inParallel(entries.filter(isCandidate), async (entry): Promise<MemberPlace[]> => {
    const folder = collection === "" ? entry.name : `${collection}/${entry.name}`;
    const path = join(guildMembers, folder);
    const place = { folder, path, isLink: entry.isSymbolicLink() };
    if (entry.name.includes("\uFFFD")) return [{ ...place, lost: "has a name that is not UTF-8. Rename it." }];
    if (!place.isLink) return [{ ...place, lost: null }];
    return (await isFile(path)) ? [] : [{ ...place, lost: await whyLost(guildMembers, path) }];
  });
  return places.flat();
}

const isCandidate = (entry: Dirent): boolean =>
  (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith(".") && entry.name !== "node_modules";

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => !found.isDirectory(),
    () => false,
  );

/** Why a link to a folder is not followed; null where it is. */
async function whyLost(guildMembers: string, link: string): Promise<string | null> {
  try {
    const way = relative(await realpath(link), await realpath(guildMembers));
    const isCircle = way !== ".." && !way.startsWith(`..${sep}`);
    return isCircle ? "is a link that leads back to guild-members itself. Remove it." : null;
  } catch (error) {
    if (isAboutThisProcess(error)) throw error;
    return "is a link that leads nowhere. Remove it, or put back what it leads to.";
  }
}

/** What is gone by the time it is looked at has nothing in it. */
export async function readFolder(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Few at a time: a folder with thousands of entries must not use up the files a process may open. */
export async function inParallel<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  await inBatches(items.entries(), 16, async ([at, item]) => {
    results[at] = await work(item);
  });
  return results;
}
