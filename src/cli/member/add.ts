import { HallError } from "../../schema/hall-error.ts";
import { MemberName } from "../../schema/ids.ts";
import { MemberCommand, Transport } from "../../schema/manifest.ts";
import { freeName, proposeName } from "../../schema/propose-name.ts";
import { checked } from "../checked.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { absolutePaths } from "./absolute-paths.ts";
import { confirm } from "./confirm.ts";
import { importMembers } from "./import.ts";
import { variables } from "./key-values.ts";
import type { AddFlags } from "./member-flags.ts";
import { untilSettled } from "./until-settled.ts";

/** Nothing is written before a person has seen exactly what will run, and said yes. */
export async function addMembers(words: readonly string[], flags: AddFlags, context: CommandContext): Promise<void> {
  if (flags.from !== undefined) return importMembers(flags.from, words, flags, context);
  if (flags.only !== undefined)
    throw new HallError("bad_request", "--only chooses among the servers of a file, so it needs --from <file>.");
  if (words.length === 0) {
    throw new HallError("bad_request", "Say which program to add, after two dashes: guild-hall member add -- npx -y some-mcp-server");
  }
  await addOne(words, flags, context);
}

async function addOne(words: readonly string[], flags: AddFlags, { printer, shell }: CommandContext): Promise<void> {
  const { client, home } = await findHall(flags.home, shell);
  const [command = "", ...args] = absolutePaths(words, shell.cwd());
  const started = checked(MemberCommand, { command, args, env: variables(flags.env) }, "The command");
  const transport = flags.transport === undefined ? "stdio" : checked(Transport, flags.transport, "--transport");
  const taken = new Set((await client.roster.list()).members.map(({ name }) => name));
  const name = flags.name === undefined ? freeName(proposeName(words), taken) : checked(MemberName, flags.name, "--name");
  if (taken.has(name)) throw new HallError("conflict", `There is a member "${name}" already. Choose another name with --name.`);

  const isWanted = await confirm({ name, transport, command: started }, { home, isSure: flags.yes === true, printer, shell });
  if (!isWanted) throw new HallError("stopped", "Nothing was added.");
  const { description } = flags;
  await client.roster.add({ name, transport, ...started, ...(description === undefined ? {} : { description }), confirmed: true });
  const { member, sentence } = await untilSettled(client, name, shell);
  printer.result(member, sentence);
}
