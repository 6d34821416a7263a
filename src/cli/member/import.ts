import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { HallClient } from "../../client/hall-client.ts";
import { exitCodes } from "../../schema/exit-code.ts";
import { HallError } from "../../schema/hall-error.ts";
import { fillIn, fillInText, readMcpConfig } from "../../schema/mcp-config.ts";
import type { ImportableServer, ImportedServer } from "../../schema/mcp-config.ts";
import { suggestion } from "../../schema/nearest-name.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import type { Printer } from "../printer.ts";
import { quoted, safeText } from "../safe-text.ts";
import type { Shell } from "../shell.ts";
import { absolutePaths } from "./absolute-paths.ts";
import { confirm } from "./confirm.ts";
import { variables } from "./key-values.ts";
import type { AddFlags } from "./member-flags.ts";
import { untilSettled } from "./until-settled.ts";

type Outcome = { name: string; problem: string | null };

/** Each server is shown and asked about by itself; one that cannot be taken is told and does not hold up the others. */
export async function importMembers(
  file: string,
  words: readonly string[],
  flags: AddFlags,
  { printer, shell }: CommandContext,
): Promise<void> {
  if (words.length > 0 || flags.name !== undefined || flags.transport !== undefined || flags.description !== undefined) {
    throw new HallError("bad_request", "With --from, commands, names and transports come from the file. Leave out the rest.");
  }
  const path = resolve(shell.cwd(), file);
  const { servers, problem } = readMcpConfig(await readText(path, file));
  if (problem !== null) throw new HallError("bad_request", `${file}: ${problem}`);
  const chosen = choose(servers, flags.only);
  const { client, home } = await findHall(flags.home, shell);
  const folder = dirname(path);
  const values = { ...shell.env, ...variables(flags.env) };

  const means = { client, home, folder, values, isSure: flags.yes === true, isNamed: flags.only !== undefined, printer, shell };
  const outcomes: Outcome[] = [];
  for (const server of chosen) {
    printer.progress(`\n${safeText(server.displayName)}`);
    const reason = await bring(server, means);
    if (reason !== null) printer.progress(`Not added: ${reason}`);
    outcomes.push({ name: server.name, problem: reason });
  }
  const added = outcomes.filter(({ problem: reason }) => reason === null).map(({ name }) => name);
  const skipped = outcomes.filter(({ problem: reason }) => reason !== null);
  if (added.length === 0) shell.exitCode = exitCodes.conflict;
  if (added.length > 0) printer.progress("");
  const met = await Promise.all(added.map(async (name) => ({ name, ...(await untilSettled(client, name, shell)) })));
  for (const { sentence } of met) printer.progress(sentence);
  const failed = met.filter(({ isConnected }) => !isConnected).map(({ name, sentence }) => ({ name, problem: sentence }));
  printer.result({ added, failed, skipped }, summary({ added, failed, count: chosen.length }));
}

async function readText(path: string, file: string): Promise<string> {
  if (!existsSync(path)) throw new HallError("not_found", `There is no file ${file}.`);
  return readFile(path, "utf8").catch((cause: unknown) => {
    throw new HallError("bad_request", `${file} cannot be read. Is it a file that you may read?`, { cause });
  });
}

/** By the name in the file or the one it would get here. */
function choose(servers: readonly ImportedServer[], only: readonly string[] | undefined): readonly ImportedServer[] {
  if (only === undefined) return servers;
  return only.map((wanted) => {
    const found = servers.find(({ name, displayName }) => name === wanted || displayName === wanted);
    if (found !== undefined) return found;
    const known = servers.map(({ displayName }) => displayName);
    throw new HallError("not_found", `The file has no server "${wanted}"${suggestion(wanted, known)}`);
  });
}

type Means = {
  client: HallClient;
  home: string;
  /** Where the file lies, and where other programs start what it names. */
  folder: string;
  values: NodeJS.ProcessEnv;
  isSure: boolean;
  /** Somebody asked for exactly this one. */
  isNamed: boolean;
  printer: Printer;
  shell: Shell;
};

/** Answers why it was not added, or null. */
async function bring(
  server: ImportedServer,
  { client, home, folder, values, isSure, isNamed, printer, shell }: Means,
): Promise<string | null> {
  if (server.problem !== null) return server.problem;
  const { name, displayName, notes } = server;
  if (server.isSwitchedOff && !isNamed) return `it is switched off in that file. Take it all the same with --only ${quoted(displayName)}.`;
  const { command: filled, missing } = fillIn(server.command, values);
  const unfilled = new Set(missing);
  const cwd = fillInText(server.cwd ?? "", values, unfilled);
  if (unfilled.size > 0) return unset([...unfilled]);
  const [program = "", ...args] = absolutePaths([filled.command, ...filled.args], resolve(folder, cwd));
  const command = { ...filled, command: program, args };
  for (const note of notes) printer.progress(`Note: ${note}`);
  const { members } = await client.roster.list();
  if (members.some((member) => member.name === name)) return `there is a member "${name}" already.`;
  if (!(await confirm({ name, transport: "stdio", command }, { home, isSure, printer, shell }))) return "you did not say yes.";
  return client.roster.add({ name, displayName, transport: "stdio", ...command, confirmed: true }).then(() => null, whyRefused);
}

function whyRefused(error: unknown): string {
  if (error instanceof HallError && (error.code === "bad_request" || error.code === "conflict")) return error.message;
  throw error;
}

const unset = (missing: ImportableServer["needs"]): string =>
  `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not set. Set ${missing.length === 1 ? "it" : "them"} in the environment, or give --env ${missing[0] ?? ""}=<value>.`;

function summary({ added, failed, count }: { added: readonly string[]; failed: readonly Outcome[]; count: number }): string {
  if (added.length === 0) return count === 1 ? "The server was not added." : `None of the ${count} servers was added.`;
  const unconnected = failed.length === 0 ? "" : ` Not connected: ${failed.map(({ name }) => name).join(", ")}.`;
  return `Added ${added.length} of ${count}: ${added.join(", ")}.${unconnected}`;
}
