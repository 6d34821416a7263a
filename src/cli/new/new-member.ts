import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { HallError } from "../../schema/hall-error.ts";
import { MemberName } from "../../schema/ids.ts";
import { createMachine } from "../../server/without-hall.ts";
import { createAsk } from "../ask.ts";
import { checked } from "../checked.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { untilSettled } from "../member/until-settled.ts";
import { homeFolder } from "../serve-settings.ts";
import { memberFiles } from "./member-files.ts";
import { writeFolder } from "./write-folder.ts";

export type NewMemberFlags = { in?: string; home?: string; yes?: boolean };

/** Writes a member that works at once. In the home folder a running hall finds it and starts it. */
export async function newMember(given: string, flags: NewMemberFlags, { printer }: CommandContext): Promise<void> {
  const name = checked(MemberName, given, "The name of a member");
  const home = await homeOf(flags);
  const folder = join(flags.in === undefined ? guildMembersOf(home) : resolve(flags.in), name);
  if (existsSync(folder)) throw new HallError("conflict", `${folder} is there already. Choose another name.`);
  const files = await memberFiles(name);

  const runs = flags.in === undefined ? 'The hall will run "node" "server.ts" there, now and whenever it is open.' : "Nothing will be run.";
  printer.progress(`These files will be written to ${folder}: ${Object.keys(files).join(", ")}.\n${runs}`);
  if (flags.yes !== true && !(await createAsk()(`Make ${name}?`))) throw new HallError("stopped", "Nothing was written.");
  await writeFolder(folder, files);
  const { isRunning, sentence } = flags.in === undefined ? await meet(name, flags.home) : elsewhere(folder);
  printer.result({ name, folder, isRunning }, `${name} is in ${folder}. ${sentence}`);
}

async function homeOf(flags: NewMemberFlags): Promise<string> {
  const folder = process.cwd();
  const { env } = await createMachine({ env: process.env, folder }).environment();
  return homeFolder(flags.home, env, folder);
}

function guildMembersOf(home: string): string {
  const folder = join(home, "guild-members");
  if (existsSync(folder)) return folder;
  throw new HallError("not_found", `There is no ${folder}. Open a hall once with guild-hall serve, or choose a folder with --in.`);
}

type Met = { isRunning: boolean; sentence: string };

async function meet(name: string, homeFlag: string | undefined): Promise<Met> {
  const hall = await findHall(homeFlag).catch((error: unknown) => {
    if (error instanceof HallError && error.code === "hall_unreachable") return null;
    throw error;
  });
  if (hall === null) return { isRunning: false, sentence: "It starts with the hall: guild-hall serve" };
  const { isConnected, sentence } = await untilSettled(hall.client, name);
  const next = isConnected ? ` Try it: guild-hall member call ${name} greet --arg name=Ada` : "";
  return { isRunning: isConnected, sentence: `${sentence}${next}` };
}

const elsewhere = (folder: string): Met => ({
  isRunning: false,
  sentence: `Rehearse it there with: npm install && npm test. Then copy it to guild-members of a home folder, or: guild-hall member add -- node ${join(folder, "server.ts")}`,
});
