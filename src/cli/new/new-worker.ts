import type { CommandContext } from "../command-context.ts";
import { makeMember } from "./make-member.ts";
import type { Kind, NewMemberFlags } from "./make-member.ts";
import { workerFiles } from "./worker-files.ts";

const worker: Kind = {
  files: (name, description) => workerFiles(name, { description }),
  runs: '"node" "server.ts" "--port" "${PORT}", with access to your model,',
  tryIt: (name) => `Rehearse it: guild-hall rehearse ${name}. Give it a job: guild-hall job dispatch ${name} --follow "What is a guild?"`,
  elsewhere: (folder) =>
    `Rehearse it with: guild-hall rehearse ${folder}. For a hall, run npm install in it and copy or link it to guild-members of a home folder.`,
};

export const newWorker = (name: string, flags: NewMemberFlags, context: CommandContext): Promise<void> =>
  makeMember(worker, name, flags, context);
