import { join } from "node:path";
import type { MemberCommand, Transport } from "../../schema/manifest.ts";
import { createLayout } from "../../server/without-hall.ts";
import { createAsk } from "../ask.ts";
import type { CommandContext } from "../command-context.ts";
import { quoted, safeText } from "../safe-text.ts";
import { table } from "../table.ts";

type Means = Pick<CommandContext, "printer" | "shell"> & { home: string; isSure: boolean };
type Candidate = { name: string; transport: Transport; command: MemberCommand };

/** Shows exactly what would run, also to whoever has said yes beforehand, and asks. */
export async function confirm(
  { name, transport, command: { command, args, env } }: Candidate,
  { home, isSure, printer, shell }: Means,
): Promise<boolean> {
  const variables = Object.keys(env).map(safeText).join(", ");
  const rows = [
    ["member", name],
    ["runs", [command, ...args].map(quoted).join(" ")],
    ["in", join(createLayout(home).guildMembers, name)],
    ["speaks", `MCP over ${transport}`],
    ...(variables === "" ? [] : [["gets", `${variables} (values are not shown)`]]),
  ];
  printer.progress(table(rows).join("\n"));
  printer.progress("This program will run on this machine with your rights, now and whenever the hall is open.");
  return isSure || createAsk(shell)(`Add ${name}?`);
}
