import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { MemberName } from "../../../schema/ids.ts";
import { disk } from "../disk.ts";
import type { Disk } from "../disk.ts";
import { systemCode } from "../../system-code.ts";
import type { Layout } from "../layout.ts";
import { createBundledStamps } from "./bundled-stamps.ts";
import { sweepComingFolders } from "./coming-folder.ts";
import { copyMember, upgradeMember } from "./copy-member.ts";
import type { Copying } from "./copy-member.ts";
import { isUntouched } from "./member-files.ts";
import { readFolder } from "./member-places.ts";
import { linkPackages } from "./package-links.ts";
import { readShipped } from "./shipped-member.ts";
import type { ShippedMember } from "./shipped-member.ts";

export type BundledMembersDeps = {
  layout: Layout;
  /** The hall's own folder, with `package.json` and `guild-members/`. */
  project: string;
  onProblem: (error: unknown) => void;
  disk?: Disk;
};

/**
 * Brings the hall's own members into the home and keeps them current: an untouched copy is upgraded, an edited one is kept,
 * and one that a person removed stays away. Only for the process that holds the home, before any member runs.
 */
export async function installBundledMembers({ layout, project, onProblem, disk: on = disk }: BundledMembersDeps): Promise<void> {
  const stamps = createBundledStamps(layout, on);
  const source = join(project, "guild-members");
  const attempt = (work: Promise<void>) => work.catch(onProblem);
  await attempt(sweepComingFolders(layout));
  for (const entry of await readFolder(source)) {
    const name = MemberName.safeParse(entry.name);
    if (entry.isDirectory() && name.success) await attempt(bring({ layout, on, stamps, name: name.data }, join(source, name.data)));
  }
  await attempt(linkPackages(layout, project));
}

async function bring(what: Copying, from: string): Promise<void> {
  const { layout, stamps, name } = what;
  const shipped = await readShipped(from);
  if (shipped === null) return;
  const there = await kindOf(layout.guildMember(name));
  if (there === "folder") return bringUpToDate(what, shipped);
  const stamp = (await stamps.read()).get(name);
  if (there === "nothing" && stamp === undefined) return copyMember(what, shipped);
  // Somebody took the copy away. A file or a link in its place is a person's.
  if (there === "nothing") await stamps.markRemoved(name);
}

async function bringUpToDate(what: Copying, { stamp: next, contents }: ShippedMember): Promise<void> {
  const { layout, stamps, name } = what;
  const folder = layout.guildMember(name);
  const stamp = (await stamps.read()).get(name);
  if (stamp === undefined) {
    // A person's own, or a copy whose stamp a crash or a person took away.
    if (await isUntouched(folder, next.files)) await stamps.write(name, next);
    return;
  }
  if (await isUntouched(folder, stamp.files)) {
    if (!isDeepStrictEqual(stamp, next)) await upgradeMember(what, { stamp: next, contents }, stamp);
    return;
  }
  // What took a removed member's place is a person's own.
  if (stamp.isRemoved) return;
  const withheld = isDeepStrictEqual(stamp.files, next.files) ? null : next.version;
  if (withheld !== stamp.withheld) await stamps.write(name, { ...stamp, withheld });
}

async function kindOf(path: string): Promise<"nothing" | "folder" | "other"> {
  try {
    return (await lstat(path)).isDirectory() ? "folder" : "other";
  } catch (error) {
    if (systemCode(error) === "ENOENT") return "nothing";
    throw error;
  }
}
