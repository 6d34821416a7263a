import { join } from "node:path";
import type { CommandContext } from "../command-context.ts";
import { makeMember } from "./make-member.ts";
import type { Kind, NewMemberFlags } from "./make-member.ts";
import { memberFiles } from "./member-files.ts";

const member: Kind = {
  files: memberFiles,
  runs: '"node" "server.ts"',
  tryIt: (name) => `Try it: guild-hall member call ${name} greet --arg name=Ada`,
  elsewhere: (folder) =>
    `Rehearse it there with: npm install && npm test. Then copy or link it to guild-members of a home folder, or: guild-hall member add -- node ${join(folder, "server.ts")}`,
};

export const newMember = (name: string, flags: NewMemberFlags, context: CommandContext): Promise<void> =>
  makeMember(member, name, flags, context);
