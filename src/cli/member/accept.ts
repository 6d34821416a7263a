import { HallError } from "../../schema/hall-error.ts";
import type { MemberTool } from "../../schema/roster.ts";
import type { ToolDefinition } from "../../schema/tool.ts";
import { createAsk } from "../ask.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { safeText } from "../safe-text.ts";
import { changedLines } from "./changed-lines.ts";
import type { SureFlags } from "./member-flags.ts";

/** Accepts exactly the definitions that were shown: one that changes meanwhile stays withheld. */
export async function acceptTools(name: string, flags: SureFlags, { printer, shell }: CommandContext): Promise<void> {
  const { client } = await findHall(flags.home, shell);
  const member = await client.roster.get(name);
  const changed = member.tools.filter(({ change }) => change !== null);
  if (changed.length === 0) {
    printer.result(member, `${name} has nothing to accept: agents may use all ${member.toolCount} tools.`);
    return;
  }
  for (const tool of changed) printer.progress(show(tool));
  const question = `Let agents use ${changed.length === 1 ? "this tool" : `these ${changed.length} tools`} of ${name}?`;
  if (flags.yes !== true && !(await createAsk(shell)(question))) throw new HallError("stopped", "Nothing was accepted.");
  const accepted = await client.roster.accept(
    name,
    changed.map((tool) => ({ name: tool.name, hash: tool.hash })),
  );
  printer.result(accepted, `Accepted: ${changed.map((tool) => safeText(tool.name)).join(", ")}.`);
}

function show({ change, hash: _hash, accepted: _accepted, ...definition }: MemberTool): string {
  const lines = linesOf(definition);
  const before = change?.before;
  const body = before === null || before === undefined ? lines.map((line) => `+ ${line}`) : changedLines(linesOf(before), lines);
  return safeText([`${definition.name} (${change?.kind ?? "new"})`, ...body.map((line) => `  ${line}`), ""].join("\n"));
}

const linesOf = (definition: ToolDefinition): string[] => JSON.stringify(definition, null, 2).split("\n");
