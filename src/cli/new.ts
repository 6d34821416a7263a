import type { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import type { NewMemberFlags } from "./new/make-member.ts";

export function addNew(program: Command, context: CommandContext): void {
  const group = program.command("new").description("begin something of your own from a working example");

  const command = (usage: string, description: string): Command =>
    group
      .command(usage)
      .description(description)
      .option("--in <folder>", "make it in this folder (default: guild-members of the home folder, where the hall finds it)")
      .option("--home <folder>", "home folder of the hall (default: ~/.guild-hall)")
      .option("--yes", "do not ask")
      .option("--json", "print exactly one JSON document");

  command("member <name>", "write a small TypeScript member with a test that rehearses it").action(
    async (name: string, flags: NewMemberFlags) => {
      const { newMember } = await import("./new/new-member.ts");
      await newMember(name, flags, context);
    },
  );

  command("worker <name>", "copy the researcher, a member that takes jobs, with a script that rehearses it")
    .option("--description <text>", "what it is for: people and agents choose a worker by this")
    .action(async (name: string, flags: NewMemberFlags) => {
      const { newWorker } = await import("./new/new-worker.ts");
      await newWorker(name, flags, context);
    });
}
