import { CommanderError } from "commander";
import { exitCodes } from "../schema/exit-code.ts";
import { createPrinter } from "./printer.ts";
import { createProgram } from "./program.ts";
import type { Shell } from "./shell.ts";

/** The door of the command line: whatever goes wrong behind it becomes one sentence and an exit code. */
export async function main(args: readonly string[], shell: Shell = process): Promise<void> {
  const isJson = args.slice(0, args.includes("--") ? args.indexOf("--") : args.length).includes("--json");
  const printer = createPrinter({ isJson, shell });
  const fail = async (error: unknown): Promise<void> => {
    const { reportFailure } = await import("./failure.ts");
    shell.exit(reportFailure(error, printer, shell.env));
  };
  shell.on("uncaughtException", (error) => void fail(error));
  // Whoever reads our output may stop reading: `guild-hall doctor | head -1`.
  shell.stdout.on("error", (error: NodeJS.ErrnoException) => (error.code === "EPIPE" ? shell.exit(0) : void fail(error)));
  const interrupt = () => shell.exit(exitCodes.interrupted);
  shell.on("SIGINT", interrupt);
  const program = createProgram({ printer, shell, takeOverInterrupt: () => void shell.off("SIGINT", interrupt) });
  try {
    await program.parseAsync(args.some((arg) => arg !== "--json") ? args : ["--help", ...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode !== 0) await fail(error);
  }
}
