import { setTimeout as after } from "node:timers/promises";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { createOutput } from "../output.ts";
import { createSafeFlow } from "../safe-text.ts";
import type { LogFlags } from "./member-flags.ts";
import { newPart } from "./new-part.ts";

export async function showLogs(name: string, flags: LogFlags, { printer, shell }: CommandContext): Promise<void> {
  const { client } = await findHall(flags.home, shell);
  const logs = await client.roster.logs(name);
  const { clean } = createOutput(shell);
  if (flags.follow !== true || printer.isJson) {
    const nothing = `${name} has written nothing to stderr.`;
    printer.result(logs, logs.text === "" ? nothing : clean(logs.text.replace(/\n$/, "")));
    return;
  }
  const flow = createSafeFlow(clean);
  shell.stdout.write(flow.take(logs.text));
  for (let before = logs.text; ;) {
    await after(500);
    const { text } = await client.roster.logs(name);
    shell.stdout.write(flow.take(newPart(before, text)));
    before = text;
  }
}
