import type { Command } from "commander";
import type { CommandContext } from "./program.ts";
export function addStatus(program: Command, { printer }: CommandContext): void {
  program
    .command("status")
    .option("--json", "x")
    .action(() => printer.result({}, "doc"));
}
