import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import type { HomeFlag } from "./member-flags.ts";
import { untilSettled } from "./until-settled.ts";

export async function restartMember(name: string, flags: HomeFlag, { printer }: CommandContext): Promise<void> {
  const { client } = await findHall(flags.home);
  await client.roster.restart(name);
  const { member, sentence } = await untilSettled(client, name);
  printer.result(member, sentence);
}
