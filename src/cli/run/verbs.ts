import type { HallClient } from "../../client/hall-client.ts";
import type { CommandContext } from "../command-context.ts";
import { raiseRun } from "./raise-run.ts";

/** A run, and the name by which its person knows it. */
export type NamedRun = { client: Pick<HallClient, "runs">; id: string; name: string };

type Said = Pick<CommandContext, "printer">;

export async function raise({ client, id, name }: NamedRun, amount: string, { printer }: Said): Promise<void> {
  const { run, sentence } = await raiseRun(client, id, amount);
  printer.result(run, `${name} resumes. ${sentence}`);
}

export async function finish({ client, id, name }: NamedRun, { printer }: Said): Promise<void> {
  await client.runs.finish(id);
  printer.result({ finished: id }, `${name} ends with what there is.`);
}

export async function tryNow({ client, id, name }: NamedRun, { printer }: Said): Promise<void> {
  printer.result(await client.runs.resume(id), `${name} tries the model again.`);
}
