import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { FoundMember } from "../../../core/roster/member-folders.ts";
import { nearestName } from "../../../schema/nearest-name.ts";
import { isAboutThisProcess } from "../file-failure.ts";
import { systemCode } from "../../system-code.ts";
import type { Layout } from "../layout.ts";
import type { BundledStamp } from "./bundled-stamps.ts";
import { manifestName, readManifest } from "./manifest-file.ts";
import { isUntouched } from "./member-files.ts";
import { inParallel, memberPlaces, readFolder } from "./member-places.ts";
import type { MemberPlace } from "./member-places.ts";
import { shown } from "./shown-path.ts";

/**
 * Every member in `guild-members/`, and those one level below, in folders without a manifest of their own. A link to a
 * folder counts as the folder, under the link's name, unless it leads back to where members are kept.
 */
export async function scanMembers({ guildMembers }: Layout, stamps: ReadonlyMap<string, BundledStamp>): Promise<FoundMember[]> {
  const places = await memberPlaces(guildMembers);
  const found = await inParallel(places, (place) => lookInto(guildMembers, place, stamps));
  return found.flat().toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
}

async function lookInto(guildMembers: string, place: MemberPlace, stamps: ReadonlyMap<string, BundledStamp>): Promise<FoundMember[]> {
  const member = await memberAt(place, stamps);
  if (member !== null) return [member];
  try {
    const inside = await inParallel(await memberPlaces(guildMembers, place.folder), (each) => memberAt(each, new Map()));
    const members = inside.filter((each) => each !== null);
    return members.length > 0 ? members : await withoutManifest(place);
  } catch (error) {
    if (isAboutThisProcess(error)) throw error;
    const code = systemCode(error);
    return [broken(place, code === "EACCES" ? "cannot be looked into by this user. Run chmod u+rx on it." : `cannot be read (${code}).`)];
  }
}

async function memberAt(place: MemberPlace, stamps: ReadonlyMap<string, BundledStamp>): Promise<FoundMember | null> {
  if (place.lost !== null) return broken(place, place.lost);
  const owner = await strangerWhoOwns(place.path);
  if (owner !== null)
    return broken(place, `belongs to another user (${owner}), whose program would run as you. Make it yours with chown -R.`);
  const read = await readManifest(place.path, join(fromHome(place), manifestName));
  if (read === null) return null;
  const { folder, path } = place;
  const origin = await originOf(place, stamps.get(folder));
  return read.manifest === null
    ? { folder, path, ...origin, manifest: null, name: nameOf(place), problem: read.problem }
    : { folder, path, ...origin, ...read };
}

/** Null for this user and for root, who can do anything anyway. */
async function strangerWhoOwns(path: string): Promise<number | null> {
  const self = process.getuid?.();
  // A folder that is gone is reported when its manifest is read.
  const uid = await stat(path).then(
    (stats) => stats.uid,
    () => self,
  );
  return uid === undefined || uid === self || uid === 0 ? null : uid;
}

async function originOf({ path, isLink }: MemberPlace, stamp: BundledStamp | undefined): Promise<Pick<FoundMember, "origin" | "note">> {
  // What a link leads to is not what the hall copied, even where it looks the same.
  if (stamp === undefined || stamp.isRemoved || isLink) return { origin: "added" };
  if (await isUntouched(path, stamp.files)) return { origin: "bundled" };
  const note = stamp.withheld === null ? "Edited here, so it is not upgraded." : `Edited here, so not upgraded to ${stamp.withheld}.`;
  return { origin: "edited", note };
}

/** Files without a manifest are a member that somebody has not finished; nothing at all is nothing. */
async function withoutManifest(place: MemberPlace): Promise<FoundMember[]> {
  const files = (await readFolder(place.path)).filter((entry) => entry.isFile() && !entry.name.startsWith(".")).map(({ name }) => name);
  if (files.length === 0) return [];
  const misspelt = nearestName(manifestName, files);
  const advice = misspelt === null ? "Put one into it, or move the folder elsewhere" : `Rename ${misspelt}, if that is meant to be it`;
  return [broken(place, `has no ${manifestName}, so nothing says how to start it. ${advice}.`)];
}

const broken = (place: MemberPlace, what: string): FoundMember => ({
  folder: place.folder,
  path: place.path,
  origin: "added",
  manifest: null,
  name: nameOf(place),
  problem: shown(`${fromHome(place)} ${what}`),
});

/** As people know it: the whole path would take the room of what is wrong. */
const fromHome = ({ folder }: MemberPlace): string => join("guild-members", folder);

const nameOf = ({ folder }: MemberPlace): string => folder.slice(folder.lastIndexOf("/") + 1);
