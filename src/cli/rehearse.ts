import type { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import type { RehearseFlags } from "./rehearse/run-rehearsal.ts";

export function addRehearse(program: Command, context: CommandContext): void {
  program
    .command("rehearse <member>")
    .description("let a worker do a job with a script in the place of the model, and see what it did; needs no hall")
    .option("--script <file>", "what the model says, and what is expected of the worker (default: rehearsal.yaml of the member)")
    .option("--task <text>", "what the worker is to do")
    .option("--config <json>", "settings for the job, as the worker knows them")
    .option("--time-limit <seconds>", "how long it may take (default: 120)")
    .option("--home <folder>", "home folder in which the member is looked for (default: ~/.guild-hall)")
    .option("--json", "print exactly one JSON document")
    .action(async (member: string, flags: RehearseFlags) => {
      const { runRehearsal } = await import("./rehearse/run-rehearsal.ts");
      await runRehearsal(member, flags, context);
    });
}
