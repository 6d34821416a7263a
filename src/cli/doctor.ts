import type { Command } from "commander";
import { styleText } from "node:util";
import { exitCodes } from "../schema/exit-code.ts";
import type { Check } from "../schema/check.ts";
import type { CommandContext } from "./command-context.ts";
import { safeText } from "./safe-text.ts";
import type { ServeFlags } from "./serve-settings.ts";
import type { Shell } from "./shell.ts";

type DoctorFlags = Omit<ServeFlags, "model">;

export function addDoctor(program: Command, { printer, shell }: CommandContext): void {
  program
    .command("doctor")
    .description("look at everything a hall needs and say what to do about it")
    .option("--home <folder>", "home folder to look at (default: ~/.guild-hall)")
    .option("--port <number>", "port to look at (default: 4870)")
    .option("--host <address>", "address to look at (default: 127.0.0.1)")
    .option("--json", "print exactly one JSON document")
    .action(async (flags: DoctorFlags) => {
      const checks = await examine(flags, shell);
      printer.result({ checks }, report(checks, printer.hasColour));
      // A script that asks the doctor before it goes on wants to be stopped.
      if (checks.some(({ status }) => status === "fail")) shell.exitCode = exitCodes.conflict;
    });
}

async function examine(flags: DoctorFlags, shell: Shell): Promise<Check[]> {
  const { Config } = await import("../schema/config.ts");
  const { chooseHome } = await import("./chosen-home.ts");
  const { mergeSettings } = await import("./serve-settings.ts");
  const { machine, home, env } = await chooseHome(flags.home, shell);
  // What is wrong with the file is a finding of its own; the rest is looked at as if there were none.
  const config = await machine.config(home).catch(() => Config.parse({}));
  return machine.examine({ home, ...mergeSettings(config, flags, env) });
}

const marks: Record<Check["status"], { word: string; colour: "green" | "blue" | "yellow" | "red" }> = {
  ok: { word: "ok", colour: "green" },
  info: { word: "note", colour: "blue" },
  warn: { word: "warn", colour: "yellow" },
  fail: { word: "FAIL", colour: "red" },
};

/** One line per check, aligned, with what to do about it below. */
function report(checks: readonly Check[], hasColour: boolean): string {
  const width = Math.max(...checks.map(({ title }) => title.length));
  const indent = " ".repeat(width + 8);
  return checks
    .flatMap(({ status, title, detail, advice }) => {
      const { word, colour } = marks[status];
      const mark = hasColour ? styleText(colour, word.padEnd(4), { validateStream: false }) : word.padEnd(4);
      return [
        `${mark}  ${title.padEnd(width)}  ${safeText(detail).replaceAll("\n", `\n${indent}`)}`,
        ...(advice === null ? [] : [`${indent}→ ${safeText(advice)}`]),
      ];
    })
    .join("\n");
}
