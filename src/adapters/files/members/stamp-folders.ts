import { stat } from "node:fs/promises";
import { join } from "node:path";
import { stampOfPath } from "../stamp-of-path.ts";
import type { Layout } from "../layout.ts";
import type { BundledStamp } from "./bundled-stamps.ts";
import { manifestName } from "./manifest-file.ts";
import { isPartOfMember } from "./member-files.ts";
import { inParallel, memberPlaces } from "./member-places.ts";
import type { MemberPlace } from "./member-places.ts";

/** `stamp` tells one state of everything that a scan looks at from another; `folders` are those to watch for a change of it. */
export type FolderStamps = { stamp: string; folders: Map<string, WatchedFolder> };

/** `inode` tells which folder it is that has the path. */
export type WatchedFolder = { inode: string; matters: (name: string) => boolean };

export async function stampFolders({ guildMembers }: Layout, bundled: ReadonlyMap<string, BundledStamp>): Promise<FolderStamps> {
  const folders = new Map<string, WatchedFolder>();
  const note = async (path: string, matters: WatchedFolder["matters"]) => folders.set(path, { inode: await inodeOf(path), matters });

  async function stampMember(place: MemberPlace): Promise<{ isMember: boolean; stamps: (string | null)[] }> {
    const manifest = await stampOfPath(join(place.path, manifestName));
    const copied = Object.keys(bundled.get(place.folder)?.files ?? {});
    // In a copy that the hall brought, every file matters, and what comes into it: both make it an edited one.
    const copy = copied.length === 0 ? [] : await inParallel([".", ...copied], (file) => stampOfPath(join(place.path, file)));
    await note(place.path, manifest !== null && copied.length === 0 ? isManifest : isPartOfMember);
    return { isMember: manifest !== null, stamps: [place.folder, place.lost, manifest, ...copy] };
  }

  async function stampPlace(place: MemberPlace): Promise<(string | null)[]> {
    const { isMember, stamps } = await stampMember(place);
    if (isMember || place.lost !== null) return stamps;
    // A folder without a manifest may be a collection, or a member that is not finished.
    const inside = await memberPlaces(guildMembers, place.folder).catch(() => []);
    const theirs = await inParallel(inside, async (each) => (await stampMember(each)).stamps);
    return [...stamps, await stampOfPath(place.path), ...theirs.flat()];
  }

  await note(guildMembers, isVisible);
  const stamps = await inParallel(await memberPlaces(guildMembers), stampPlace);
  return { stamp: JSON.stringify(stamps), folders };
}

const isManifest = (name: string): boolean => name === manifestName;
export const isVisible = (name: string): boolean => !name.startsWith(".");

/** A folder that was put in place of another has the same path and is not the one that is watched. */
async function inodeOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  return found === null ? "" : String(found.ino);
}
