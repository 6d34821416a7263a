import type { Command } from "commander";
import type { CommandContext } from "./command-context.ts";

type Flags = { home?: string };

/** What a person can do with all runs at once. */
export function addRunControl(program: Command, context: CommandContext): void {
  const command = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .option("--home <folder>", "home folder of the hall (default: ~/.guild-hall)")
      .option("--json", "print exactly one JSON document");

  command("stop", "stop every message that is being answered and every job; the hall stays open")
    .option("--yes", "do not ask")
    .action(async (flags: Flags & { yes?: boolean }) => {
      const { stopEverything } = await import("./run/control.ts");
      await stopEverything(flags, context);
    });

  command(
    "pause",
    "pause new runs: messages and jobs of the hall's workers that have not started; those that have started continue",
  ).action(async (flags: Flags) => {
    const { pauseRuns } = await import("./run/control.ts");
    await pauseRuns(flags, context);
  });

  command("unpause", "resume new runs").action(async (flags: Flags) => {
    const { unpauseRuns } = await import("./run/control.ts");
    await unpauseRuns(flags, context);
  });
}
