import { stat } from "node:fs/promises";
import { join } from "node:path";
import { stampOfPath } from "../index/truth.ts";
import type { Layout } from "../layout.ts";
import { manifestName } from "./manifest-file.ts";
import { inParallel, memberPlaces } from "./member-places.ts";
import type { MemberPlace } from "./member-places.ts";

/** A folder to watch, which folder it is that has that path, and which names in it matter. */
export type WatchedFolder = { inode: string; matters: (name: string) => boolean };

/** How everything that a scan looks at is now, and which folders to watch for a change of it. */
export async function stampFolders({ guildMembers }: Layout): Promise<{ stamp: string; folders: Map<string, WatchedFolder> }> {
  const folders = new Map<string, WatchedFolder>([[guildMembers, { inode: await inodeOf(guildMembers), matters: isVisible }]]);
  const stampOne = async (place: MemberPlace): Promise<string[]> => {
    const manifest = await stampOfPath(join(place.path, manifestName));
    folders.set(place.path, { inode: await inodeOf(place.path), matters: manifest === null ? isVisible : (name) => name === manifestName });
    return [place.folder, place.lost ?? "", manifest ?? ""];
  };
  const stamps = await inParallel(await memberPlaces(guildMembers), async (place) => {
    const own = await stampOne(place);
    // A folder without a manifest may be a collection, or a member that is not finished.
    if (own[2] !== "" || place.lost !== null) return own;
    const inside = await memberPlaces(guildMembers, place.folder).catch(() => []);
    return [...own, (await stampOfPath(place.path)) ?? "", ...(await inParallel(inside, stampOne)).flat()];
  });
  return { stamp: JSON.stringify(stamps), folders };
}

export const isVisible = (name: string): boolean => !name.startsWith(".") && name !== "node_modules";

/** A folder that was put in place of another has the same path and is not the one that is watched. */
async function inodeOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  return found === null ? "" : String(found.ino);
}
