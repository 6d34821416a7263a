import { basename } from "node:path";
import { createLayout } from "../../adapters/files/layout.ts";
import { readManifest } from "../../adapters/files/members/manifest-file.ts";
import { createMemberFolders } from "../../adapters/files/members/member-folders.ts";
import type { MemberProgram } from "../../core/roster/member-launcher.ts";
import { HallError } from "../../schema/hall-error.ts";

/** A member of a home by its name, or any folder with a manifest. */
export type WantedMember = { home: string; name: string } | { folder: string };

/** The member a person means, where no hall is asked. */
export async function findMember(wanted: WantedMember): Promise<MemberProgram> {
  return "folder" in wanted ? inFolder(wanted.folder) : inHome(wanted.home, wanted.name);
}

async function inFolder(folder: string): Promise<MemberProgram> {
  const read = await readManifest(folder);
  if (read === null) throw new HallError("not_found", `${folder} is no folder of a member: it has no guild-member.json.`);
  if (read.manifest === null) throw new HallError("invalid_config", read.problem);
  return { name: read.manifest.name, folder, manifest: read.manifest };
}

async function inHome(home: string, name: string): Promise<MemberProgram> {
  const layout = createLayout(home);
  const members = await createMemberFolders({ layout, onProblem: () => undefined }).scan();
  const found = members.find(({ folder }) => basename(folder) === name);
  if (found === undefined) {
    throw new HallError(
      "not_found",
      `There is no member "${name}" in ${layout.guildMembers}. Open a hall once with guild-hall serve, or name a folder: ./${name}`,
    );
  }
  if (found.manifest === null) throw new HallError("invalid_config", found.problem);
  return { name: found.manifest.name, folder: found.path, manifest: found.manifest };
}
