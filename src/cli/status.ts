import type { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { span } from "./span.ts";

export function addStatus(program: Command, { printer, shell }: CommandContext): void {
  program
    .command("status")
    .description("say whether a hall is open on this home folder, where, and which model answers")
    .option("--home <folder>", "home folder to ask about (default: ~/.guild-hall)")
    .option("--json", "print exactly one JSON document")
    .action(async (flags: { home?: string }) => {
      const { findHall } = await import("./find-hall.ts");
      const { home, pid, url, client } = await findHall(flags.home, shell);
      const { version, model, uptimeSeconds } = await client.health();
      const { isPaused } = await client.runs.state();
      printer.result(
        { url, pid, home, version, uptimeSeconds, model, isPaused },
        `Guild Hall ${version} is open at ${url} (process ${pid}, for ${span(uptimeSeconds)}).\nModel: ${model.name}. ${model.detail}${isPaused ? "\nNew runs are paused. Resume new runs with: guild-hall unpause" : ""}`,
      );
    });
}
