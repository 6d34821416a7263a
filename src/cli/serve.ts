import type { Command } from "commander";
import { Console } from "node:console";
import { Writable } from "node:stream";
import { setTimeout as after } from "node:timers/promises";
import type { Environment } from "../schema/environment.ts";
import { exitCodes } from "../schema/exit-code.ts";
import type { ExitCode } from "../schema/exit-code.ts";
import { originLines } from "../schema/origin-lines.ts";
import type { Printer } from "./printer.ts";
import type { CommandContext } from "./command-context.ts";
import { safeText } from "./safe-text.ts";
import type { ServeFlags } from "./serve-settings.ts";
import { createStopSignal } from "./stop-signal.ts";

/** A stop that takes longer is stuck, and somebody waits for it. */
const longestStopMs = 4500;

export function addServe(program: Command, { printer, shell, takeOverInterrupt }: CommandContext): void {
  program
    .command("serve")
    .description("open the hall and keep it open")
    .option("--home <folder>", "where everything is kept (default: ~/.guild-hall)")
    .option("--port <number>", "port to listen on, 0 for any that is free (default: 4870)")
    .option("--host <address>", "address to listen on; any but loopback needs GUILD_HALL_TOKEN (default: 127.0.0.1)")
    .option("--model <name>", "model of sessions that name none")
    .option("--open", "show the hall in the browser")
    .option("--no-open", "do not (default)")
    .option("--json", "print exactly one JSON document")
    .action(async (flags: ServeFlags & { open?: boolean }) => {
      takeOverInterrupt();
      shell.exit(await serve(flags, { printer, shell }));
    });
}

type Means = Pick<CommandContext, "printer" | "shell">;

async function serve(flags: ServeFlags & { open?: boolean }, { printer, shell }: Means): Promise<ExitCode> {
  const stop = createStopSignal(shell);
  const { prepareHall } = await import("./prepare-hall.ts");
  const { options, origins, warnings, isFirstStart } = await prepareHall(flags, shell);
  for (const warning of warnings) printer.warn(safeText(warning));
  for (const line of originLines(origins)) printer.progress(safeText(line));
  quietLibraries(shell.env);
  const { startHall } = await import("../server/main.ts");
  const patience = stop.requested.then(() => after(longestStopMs));
  const hall = await Promise.race([startHall(options), patience, stop.forced]);
  if (hall === undefined) return goodbye(printer, "Stopped before the hall was open.", exitCodes.interrupted);
  const [{ welcome }, { showInBrowser }] = await Promise.all([import("./welcome.ts"), import("./open-browser.ts")]);
  const entryUrl = hall.entry();
  await welcome({ ...options, host: options.config.host, url: hall.url, entryUrl, isFirstStart }, printer);
  if (flags.open === true) await showInBrowser({ ...options, url: entryUrl }, printer);
  await stop.requested;
  return Promise.race([
    hall.close().then(({ interrupted }) => goodbye(printer, `Stopped.${interruption(interrupted)}`, exitCodes.done)),
    stop.forced.then(() => goodbye(printer, "Stopped at once; what was running is settled at the next start.", exitCodes.interrupted)),
    after(longestStopMs).then(() =>
      goodbye(printer, "Could not stop in time; what was running is settled at the next start.", exitCodes.bug),
    ),
  ]);
}

/** Stdout carries the one result, and stderr what a person wants to know; that Next has read its settings is neither. */
function quietLibraries(env: Environment): void {
  const chatter = env["GUILD_HALL_DEBUG"] === "1" ? process.stderr : new Writable({ write: (_chunk, _encoding, done) => done() });
  globalThis.console = new Console(chatter, process.stderr);
}

function goodbye(printer: Printer, sentence: string, exit: ExitCode): ExitCode {
  printer.progress(sentence);
  return exit;
}

function interruption(count: number): string {
  if (count === 0) return "";
  return count === 1
    ? " 1 run was interrupted; its session offers to continue."
    : ` ${count} runs were interrupted; their sessions offer to continue.`;
}
