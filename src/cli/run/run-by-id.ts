import { RunId } from "../../schema/ids.ts";
import { checked } from "../checked.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { finish, raise, tryNow } from "./verbs.ts";
import type { NamedRun } from "./verbs.ts";

type Flags = { home?: string };

export async function raiseById(given: string, amount: string, flags: Flags, context: CommandContext): Promise<void> {
  await raise(await runOf(given, flags, context), amount, context);
}

export async function finishById(given: string, flags: Flags, context: CommandContext): Promise<void> {
  await finish(await runOf(given, flags, context), context);
}

export async function tryNowById(given: string, flags: Flags, context: CommandContext): Promise<void> {
  await tryNow(await runOf(given, flags, context), context);
}

export async function stopById(given: string, flags: Flags, context: CommandContext): Promise<void> {
  const { client, id } = await runOf(given, flags, context);
  await client.runs.stop(id);
  context.printer.result({ stopped: id }, `${id} is stopped, with all that it started.`);
}

async function runOf(given: string, { home }: Flags, { shell }: CommandContext): Promise<NamedRun> {
  const id = checked(RunId, given, "The id of a run");
  const { client } = await findHall(home, shell);
  return { client, id, name: id };
}
