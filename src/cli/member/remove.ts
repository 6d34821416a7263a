import { join } from "node:path";
import { HallError } from "../../schema/hall-error.ts";
import { createLayout } from "../../server/without-hall.ts";
import { createAsk } from "../ask.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import type { SureFlags } from "./member-flags.ts";
import { namedMember } from "./named-member.ts";

export async function removeMember(given: string, flags: SureFlags, { printer, shell }: CommandContext): Promise<void> {
  const hall = await findHall(flags.home, shell);
  const { client, home } = hall;
  const name = await namedMember(given, hall);
  const { folder } = await client.roster.get(name);
  const question = `End ${name} and take ${join(createLayout(home).guildMembers, folder)} off the Roster?`;
  if (flags.yes !== true && !(await createAsk(shell)(question))) throw new HallError("stopped", "Nothing was removed.");
  const { movedTo } = await client.roster.remove(name);
  printer.result({ removed: name, movedTo }, `${name} is off the Roster. Its folder is kept as ${movedTo}.`);
}
