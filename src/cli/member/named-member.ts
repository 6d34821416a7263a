import { join } from "node:path";
import type { HallClient } from "../../client/hall-client.ts";
import { HallError } from "../../schema/hall-error.ts";
import { MemberName } from "../../schema/ids.ts";
import { createLayout } from "../../server/without-hall.ts";
import { checked } from "../checked.ts";

/** A name that a member can have. A folder of another name has a card and nothing else, and only a person can put that right. */
export async function namedMember(name: string, { client, home }: { client: HallClient; home: string }): Promise<MemberName> {
  const good = MemberName.safeParse(name);
  if (good.success) return good.data;
  const { members } = await client.roster.list();
  const card = members.find((member) => member.name === name);
  if (card === undefined) return checked(MemberName, name, "The name of a member");
  const folder = join(createLayout(home).guildMembers, card.folder);
  throw new HallError(
    "conflict",
    `"${name}" is no name for a member, so the hall leaves it alone. Rename the folder ${folder} with lowercase letters, digits and dashes, or move it elsewhere.`,
  );
}
