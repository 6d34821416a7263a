import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import type { HomeFlag } from "./member-flags.ts";
import { namedMember } from "./named-member.ts";
import { untilSettled } from "./until-settled.ts";

export async function restartMember(given: string, flags: HomeFlag, { printer, shell }: CommandContext): Promise<void> {
  const hall = await findHall(flags.home, shell);
  const { client } = hall;
  const name = await namedMember(given, hall);
  await client.roster.restart(name);
  const { member, sentence } = await untilSettled(client, name, shell);
  printer.result(member, sentence);
}
