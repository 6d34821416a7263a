import type { HallClient } from "../../client/hall-client.ts";
import { exitCodes } from "../../schema/exit-code.ts";
import { HallError } from "../../schema/hall-error.ts";
import { MemberName } from "../../schema/ids.ts";
import { problemOf } from "../../schema/problem.ts";
import type { ToolAnswer } from "../../schema/tool.ts";
import type { InvokeTool } from "../../schema/tool-call.ts";
import { checked } from "../checked.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { safeText } from "../safe-text.ts";
import { readInput } from "./call-input.ts";
import { describeContent, saveContent, textOf } from "./content.ts";
import type { CallFlags } from "./member-flags.ts";

type Wanted = { member: string; tool: string; json: string | undefined };

export async function callTool({ member, tool, json }: Wanted, flags: CallFlags, context: CommandContext): Promise<void> {
  const { printer } = context;
  const name = checked(MemberName, member, "The name of a member");
  const { client } = await findHall(flags.home);
  const input = await readInput({ json, fields: flags.arg, stdin: process.stdin, schema: () => schemaOf(client, member, tool) });
  const answer = await invoke(client, { member: name, tool, input }, context);
  const others = answer.content.filter((content) => textOf(content) === null);
  for (const [at, content] of others.entries()) {
    const place = flags.out === undefined ? null : await saveContent(content, flags.out, `${tool}-${at + 1}`);
    printer.progress(safeText(place === null ? describeContent(content) : `Saved ${place}`));
  }
  if (answer.isError) process.exitCode = exitCodes.conflict;
  const text = textFor(answer);
  if (answer.isError && !printer.isJson) printer.progress(safeText(text));
  else printer.result(answer, process.stdout.isTTY ? safeText(text) : text);
}

async function schemaOf(client: HallClient, member: string, tool: string): Promise<Record<string, unknown>> {
  const { tools } = await client.roster.get(member);
  return tools.find(({ name }) => name === tool)?.inputSchema ?? {};
}

/** A person who waits this long wonders whether anything happens. */
const silenceMs = 1000;

/** Ctrl-C goes away from the call, which cancels it. */
async function invoke(client: HallClient, call: InvokeTool, { printer, takeOverInterrupt }: CommandContext): Promise<ToolAnswer> {
  const leaving = new AbortController();
  takeOverInterrupt();
  process.once("SIGINT", () => leaving.abort());
  const notice = setTimeout(() => printer.progress(`Waiting for ${call.tool}. Ctrl-C cancels it.`), silenceMs);
  try {
    return await client.tools.invoke(call, leaving.signal);
  } catch (error) {
    if (leaving.signal.aborted) throw new HallError("interrupted", `The call of ${call.tool} was cancelled.`, { cause: error });
    throw error instanceof HallError ? withIssues(error) : error;
  } finally {
    clearTimeout(notice);
  }
}

/** What does not fit is told field by field. */
function withIssues(error: HallError): HallError {
  const { issues = [] } = problemOf(error);
  if (issues.length < 2) return error;
  const [head = ""] = error.message.split(":", 1);
  const lines = issues.map(({ path, message }) => `  ${path === "" ? "input" : path}: ${message}`);
  return new HallError(error.code, `${head}:\n${safeText(lines.join("\n"))}`, { cause: error, details: error.details });
}

/** A tool that answers in structure alone is told as JSON. */
function textFor({ content, structuredContent }: ToolAnswer): string {
  const texts = content.map(textOf).filter((text) => text !== null);
  if (texts.length > 0) return texts.join("\n");
  return structuredContent === undefined ? "" : JSON.stringify(structuredContent, null, 2);
}
