import { onTestFinished } from "vitest";
import type { CliResult } from "./run-cli.ts";
import { typeCommand } from "./typed-command.ts";
import type { CommandOptions, TypedCommand } from "./typed-command.ts";

/**
 * Runs a command to its end, in this process: to start one takes longer than most commands do. That the process ends, hears
 * signals and passes on exit codes is what tests with `runCli` are for.
 */
export const runCommand = (args: readonly string[], options: CommandOptions = {}): Promise<CliResult> => startCommand(args, options).ended;

/** Starts a command that stays. It is left when the test ends, whatever happened. */
export function startCommand(args: readonly string[], options: CommandOptions = {}): TypedCommand {
  const command = typeCommand(args, options);
  onTestFinished(async () => {
    command.pressCtrlC();
    await command.ended;
  });
  return command;
}
