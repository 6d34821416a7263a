import type { Command } from "commander";
import type { CommandContext } from "./program.ts";
export function addDoctor(program: Command, { printer }: CommandContext): void {
  program
    .command("doctor")
    .option("--json", "x")
    .action(() => printer.result({}, "doc"));
}
