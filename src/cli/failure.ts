import { CommanderError } from "commander";
import type { Environment } from "../schema/environment.ts";
import { errorMeanings } from "../schema/error-code.ts";
import type { ExitCode } from "../schema/exit-code.ts";
import { HallError } from "../schema/hall-error.ts";
import { problemOf } from "../schema/problem.ts";
import type { Printer } from "./printer.ts";
import { safeText } from "./safe-text.ts";

/** Says what went wrong in one sentence, on stderr, or as one problem document on stdout with `--json`. Answers the exit code. */
export function reportFailure(error: unknown, printer: Printer, env: Environment): ExitCode {
  const failure = asHallError(error);
  if (printer.isJson) printer.result(problemOf(failure), "");
  // It may hold a name that somebody else chose.
  else printer.progress(safeText(failure.message));
  if (env["GUILD_HALL_DEBUG"] === "1") printer.progress(stackOf(error));
  return errorMeanings[failure.code].exit;
}

function asHallError(error: unknown): HallError {
  if (error instanceof HallError) return error;
  if (error instanceof CommanderError) return new HallError("bad_request", usageSentence(error), { cause: error });
  const reason = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
  return new HallError("internal", `Guild Hall hit a bug: ${reason}. Run it again with GUILD_HALL_DEBUG=1 to see where.`, { cause: error });
}

/** Commander says `error: unknown command 'srve'\n(Did you mean serve?)`. */
function usageSentence({ code, message }: CommanderError): string {
  // What `help` of an unknown command throws has no words, and neither has a group without one of its commands.
  if (code === "commander.help") return "That is not a command. Run guild-hall --help for all there is.";
  const [first = "", hint] = message.replace(/^error: /, "").split("\n");
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, "")}`;
  return `${sentence}. ${hint === undefined ? "" : `${hint.replace(/^\(|\)$/g, "")} `}Run guild-hall --help for all there is.`;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `\nCaused by: ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
