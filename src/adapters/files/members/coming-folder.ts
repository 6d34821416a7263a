import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { MemberName } from "../../../schema/ids.ts";
import type { Layout } from "../layout.ts";
import { readFolder } from "./member-places.ts";

/** Where a member is put together before it takes its place. Hidden, so no scan sees it; what an earlier attempt left is gone. */
export async function comingFolder({ guildMembers }: Layout, name: MemberName): Promise<string> {
  const folder = join(guildMembers, `${prefix}${name}${suffix}`);
  await rm(folder, { recursive: true, force: true });
  return folder;
}

/** Removes what a crash left. Only for the process that holds the home. */
export async function sweepComingFolders({ guildMembers }: Layout): Promise<void> {
  for (const { name } of await readFolder(guildMembers)) {
    if (name.startsWith(prefix) && name.endsWith(suffix)) await rm(join(guildMembers, name), { recursive: true, force: true });
  }
}

const prefix = ".new-";
const suffix = ".tmp";
