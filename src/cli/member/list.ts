import { memberOffer } from "../../client/member-offer.ts";
import type { Member } from "../../schema/roster.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { safeText } from "../safe-text.ts";
import { table } from "../table.ts";
import type { HomeFlag } from "./member-flags.ts";

export async function listMembers(flags: HomeFlag, { printer, shell }: CommandContext): Promise<void> {
  const { client } = await findHall(flags.home, shell);
  const roster = await client.roster.list();
  printer.result(roster, report(roster.members));
}

function report(members: readonly Member[]): string {
  if (members.length === 0) return "There are no members. Add one with: guild-hall member add -- <command…>";
  const rows = table(members.map((member) => [safeText(member.name), member.status, toolsOf(member), safeText(member.displayName)]));
  return members.flatMap(({ error, note }, at) => [rows[at] ?? "", ...[error, note].flatMap(below)]).join("\n");
}

function toolsOf(member: Member): string {
  const waiting = member.tools.filter(({ accepted }) => !accepted).length;
  return `${memberOffer(member)}${waiting === 0 ? "" : ` (${waiting} to accept)`}`;
}

const below = (sentence: string | null | undefined): string[] =>
  (sentence ?? "").split("\n").flatMap((line) => (line === "" ? [] : [`    ${safeText(line)}`]));
