import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { HallError } from "../../schema/hall-error.ts";
import { MemberName } from "../../schema/ids.ts";
import { createMachine } from "../../server/without-hall.ts";
import { createAsk } from "../ask.ts";
import { checked } from "../checked.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import type { FoundHall } from "../find-hall.ts";
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
  const hall = flags.in === undefined ? await openHall(flags.home) : null;
  if (flags.in === undefined) await mustBeFree(name, home, hall);
  const files = await memberFiles(name);

  const runs = flags.in === undefined ? 'The hall will run "node" "server.ts" there, now and whenever it is open.' : "Nothing will be run.";
  printer.progress(`These files will be written to ${folder}: ${Object.keys(files).join(", ")}.\n${runs}`);
  if (flags.yes !== true && !(await createAsk()(`Make ${name}?`))) throw new HallError("stopped", "Nothing was written.");
  await writeFolder(folder, files);
  const { isRunning, sentence } = flags.in === undefined ? await meet(name, hall) : elsewhere(folder);
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

const openHall = (homeFlag: string | undefined): Promise<FoundHall | null> =>
  findHall(homeFlag).catch((error: unknown) => {
    if (error instanceof HallError && error.code === "hall_unreachable") return null;
    throw error;
  });

/** A hall starts only one of two members of a name. Without a hall, members one level down are found by their folders. */
async function mustBeFree(name: MemberName, home: string, hall: FoundHall | null): Promise<void> {
  const { members } = hall === null ? { members: [] } : await hall.client.roster.list();
  const known = members.filter((member) => member.name === name).map((member) => join(home, "guild-members", member.folder));
  const collections = await readdir(join(home, "guild-members"));
  const inCollections = collections.map((collection) => join(home, "guild-members", collection, name));
  const [taken] = [...known, ...inCollections.filter((folder) => existsSync(join(folder, "guild-member.json")))];
  if (taken !== undefined) throw new HallError("conflict", `There is a member "${name}" already, in ${taken}. Choose another name.`);
}

type Met = { isRunning: boolean; sentence: string };

async function meet(name: string, hall: FoundHall | null): Promise<Met> {
  if (hall === null) return { isRunning: false, sentence: "It starts with the hall: guild-hall serve" };
  const { isConnected, sentence } = await untilSettled(hall.client, name);
  const next = isConnected ? ` Try it: guild-hall member call ${name} greet --arg name=Ada` : "";
  return { isRunning: isConnected, sentence: `${sentence}${next}` };
}

const elsewhere = (folder: string): Met => ({
  isRunning: false,
  sentence: `Rehearse it there with: npm install && npm test. Then copy or link it to guild-members of a home folder, or: guild-hall member add -- node ${join(folder, "server.ts")}`,
});
