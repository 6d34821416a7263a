import { resolve } from "node:path";
import type { HallClient } from "../../client/hall-client.ts";
import { exitCodes } from "../../schema/exit-code.ts";
import { HallError } from "../../schema/hall-error.ts";
import { problemOf } from "../../schema/problem.ts";
import type { ToolAnswer, ToolContent } from "../../schema/tool.ts";
import type { InvokeTool } from "../../schema/tool-call.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { createOutput } from "../output.ts";
import { safeText } from "../safe-text.ts";
import type { Shell } from "../shell.ts";
import { createStopSignal } from "../stop-signal.ts";
import { readInput } from "./call-input.ts";
import { describeContent, mustBeWritable, saveContent, textOf } from "./content.ts";
import type { CallFlags } from "./member-flags.ts";
import { namedMember } from "./named-member.ts";

type Wanted = { member: string; tool: string; json: string | undefined };

export async function callTool({ member, tool, json }: Wanted, flags: CallFlags, context: CommandContext): Promise<void> {
  const { printer, shell } = context;
  const hall = await findHall(flags.home, shell);
  const { client } = hall;
  const name = await namedMember(member, hall);
  const out = flags.out === undefined ? undefined : resolve(shell.cwd(), flags.out);
  if (out !== undefined) await mustBeWritable(out);
  const input = await readInput({ json, fields: flags.arg, stdin: shell.stdin, schema: () => schemaOf(client, member, tool) });
  const answer = await invoke(client, { member: name, tool, input }, context);
  const others = answer.content.filter((content) => textOf(content) === null);
  for (const [at, content] of others.entries()) {
    const line = out === undefined ? describeContent(content) : await saved(content, { folder: out, name: `${tool}-${at + 1}`, shell });
    printer.progress(safeText(line));
  }
  if (answer.isError) shell.exitCode = exitCodes.conflict;
  const text = textFor(answer);
  if (answer.isError && !printer.isJson) printer.progress(safeText(text));
  else printer.result(answer, createOutput(shell).clean(text));
}

type Place = { folder: string; name: string; shell: Shell };

/** The call is made and may not be made again, so that what cannot be saved is told and the rest is printed. */
async function saved(content: ToolContent, { folder, name, shell }: Place): Promise<string> {
  try {
    const place = await saveContent(content, folder, name);
    return place === null ? describeContent(content) : `Saved ${place}`;
  } catch (error) {
    shell.exitCode = exitCodes.conflict;
    return `${describeContent(content)} could not be saved: ${error instanceof Error ? error.message : String(error)}. All of it is in the answer with --json.`;
  }
}

async function schemaOf(client: HallClient, member: string, tool: string): Promise<Record<string, unknown>> {
  const { tools } = await client.roster.get(member);
  return tools.find(({ name }) => name === tool)?.inputSchema ?? {};
}

/** A person who waits this long wonders whether anything happens. */
const silenceMs = 1000;

/** Ctrl-C goes away from the call, which cancels it. */
async function invoke(client: HallClient, call: InvokeTool, { printer, shell, takeOverInterrupt }: CommandContext): Promise<ToolAnswer> {
  const leaving = new AbortController();
  takeOverInterrupt();
  void createStopSignal(shell, undefined, ["SIGINT"]).requested.then(() => leaving.abort());
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
