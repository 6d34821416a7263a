import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { HallError } from "../../schema/hall-error.ts";
import { MemberName } from "../../schema/ids.ts";
import { description as Description } from "../../schema/manifest.ts";
import { createLayout } from "../../server/without-hall.ts";
import { createAsk } from "../ask.ts";
import { checked } from "../checked.ts";
import { chooseHome } from "../chosen-home.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import type { FoundHall } from "../find-hall.ts";
import { untilSettled } from "../member/until-settled.ts";
import type { Shell } from "../shell.ts";
import { writeFolder } from "./write-folder.ts";

export type NewMemberFlags = { in?: string; home?: string; yes?: boolean; description?: string };

/** What can be made. */
export type Kind = {
  /** Every file by its path. The description is what a person gave, if anything. */
  files(name: MemberName, description?: string): Promise<Record<string, string>>;
  /** The command of its manifest, as it is shown before a yes. */
  runs: string;
  /** What to do first, once a hall has it. */
  tryIt(name: MemberName): string;
  /** What to do first, where no hall finds it. */
  elsewhere(folder: string): string;
};

/** Writes a member that works at once. In the home folder a running hall finds it and starts it. */
export async function makeMember(kind: Kind, given: string, flags: NewMemberFlags, { printer, shell }: CommandContext): Promise<void> {
  const name = checked(MemberName, given, "The name of a member");
  const description = flags.description === undefined ? undefined : checked(Description, flags.description, "--description");
  const { guildMembers } = createLayout((await chooseHome(flags.home, shell)).home);
  const folder = join(flags.in === undefined ? existingFolder(guildMembers) : resolve(shell.cwd(), flags.in), name);
  if (existsSync(folder)) throw new HallError("conflict", `${folder} is there already. Choose another name.`);
  const hall = flags.in === undefined ? await openHall(flags.home, shell) : null;
  if (flags.in === undefined) await mustBeFree(name, guildMembers, hall);
  const files = await kind.files(name, description);

  const runs = flags.in === undefined ? `The hall will run ${kind.runs} there, now and whenever it is open.` : "Nothing will be run.";
  printer.progress(`These files will be written to ${folder}: ${Object.keys(files).join(", ")}.\n${runs}`);
  if (flags.yes !== true && !(await createAsk(shell)(`Make ${name}?`))) throw new HallError("stopped", "Nothing was written.");
  await writeFolder(folder, files);
  const { isRunning, sentence } =
    flags.in === undefined
      ? await meet(name, hall, { tryIt: kind.tryIt(name), shell })
      : { isRunning: false, sentence: kind.elsewhere(folder) };
  printer.result({ name, folder, isRunning }, `${name} is in ${folder}. ${sentence}`);
}

function existingFolder(folder: string): string {
  if (existsSync(folder)) return folder;
  throw new HallError("not_found", `There is no ${folder}. Open a hall once with guild-hall serve, or choose a folder with --in.`);
}

const openHall = (homeFlag: string | undefined, shell: Shell): Promise<FoundHall | null> =>
  findHall(homeFlag, shell).catch((error: unknown) => {
    if (error instanceof HallError && error.code === "hall_unreachable") return null;
    throw error;
  });

/** A hall starts only one of two members of a name. Without a hall, members one level down are found by their folders. */
async function mustBeFree(name: MemberName, guildMembers: string, hall: FoundHall | null): Promise<void> {
  const { members } = hall === null ? { members: [] } : await hall.client.roster.list();
  const known = members.filter((member) => member.name === name).map((member) => join(guildMembers, member.folder));
  const collections = await readdir(guildMembers);
  const inCollections = collections.map((collection) => join(guildMembers, collection, name));
  const [taken] = [...known, ...inCollections.filter((folder) => existsSync(join(folder, "guild-member.json")))];
  if (taken !== undefined) throw new HallError("conflict", `There is a member "${name}" already, in ${taken}. Choose another name.`);
}

type Met = { isRunning: boolean; sentence: string };

async function meet(name: string, hall: FoundHall | null, { tryIt, shell }: { tryIt: string; shell: Shell }): Promise<Met> {
  if (hall === null) return { isRunning: false, sentence: "It starts with the hall: guild-hall serve" };
  const { isConnected, sentence } = await untilSettled(hall.client, name, shell);
  return { isRunning: isConnected, sentence: isConnected ? `${sentence} ${tryIt}` : sentence };
}
