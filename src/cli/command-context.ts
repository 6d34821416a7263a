import type { Printer } from "./printer.ts";
import type { Shell } from "./shell.ts";

/** What every command is given beside its own words. */
export type CommandContext = {
  printer: Printer;
  shell: Shell;
  /** A command that stops with care on Ctrl-C says so; all others end at once. */
  takeOverInterrupt(): void;
};
