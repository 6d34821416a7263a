import type { Printer } from "./printer.ts";

/** What every command is given beside its own words. */
export type CommandContext = {
  printer: Printer;
  /** A command that stops with care on Ctrl-C says so; all others end at once. */
  takeOverInterrupt(): void;
};
