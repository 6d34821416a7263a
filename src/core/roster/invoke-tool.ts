import { HallError } from "../../schema/hall-error.ts";
import { newToolCallId } from "../../schema/ids.ts";
import type { Issue } from "../../schema/problem.ts";
import type { ToolAnswer } from "../../schema/tool.ts";
import type { InvokeTool, ToolCall } from "../../schema/tool-call.ts";
import type { ToolResult } from "../agent/agent-run.ts";
import type { RosterEntry } from "./roster-entry.ts";
import { notConnected } from "./supervisor.ts";

/** What is wrong with an input by its JSON Schema; nothing for a schema that cannot be understood. */
export type CheckInput = (schema: Readonly<Record<string, unknown>>, input: unknown) => readonly Issue[];

export type InvokeDeps = {
  checkInput: CheckInput;
  now: () => number;
  /** Takes a call into the history. Must not throw. */
  remember: (call: ToolCall) => void;
};

/** A call by a person's hand: checked, sent, timed and remembered. */
export async function invokeTool(
  { member, tool, input }: InvokeTool,
  { program, describe }: RosterEntry,
  signal: AbortSignal,
  { checkInput, now, remember }: InvokeDeps,
): Promise<ToolAnswer> {
  const { status, error } = describe();
  if (program === null || status !== "connected") throw notConnected(member, error);
  refuseBadInput(tool, checkInput(program.tools.find(tool).inputSchema, input));

  const call = { id: newToolCallId(), member, tool, input, name: null, at: new Date(now()).toISOString() };
  const began = performance.now();
  const elapsed = () => Math.round((performance.now() - began) * 10) / 10;
  try {
    const result = await program.supervisor.call(tool, input, signal);
    const answer: ToolAnswer = { ...result, content: [...result.content], isError: result.isError ?? false, durationMs: elapsed() };
    remember({ ...call, outcome: { isError: answer.isError, durationMs: answer.durationMs, summary: summaryOf(answer.content) } });
    return answer;
  } catch (failure) {
    const summary = bounded(failure instanceof Error ? failure.message : String(failure));
    remember({ ...call, outcome: { isError: true, durationMs: elapsed(), summary } });
    throw failure;
  }
}

function refuseBadInput(tool: string, issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  const complaints = issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
  throw new HallError("bad_request", `The input of "${tool}" does not fit: ${bounded(complaints)}.`, { details: { issues } });
}

const summaryCharacters = 200;

/** The beginning of the text, or else what there is. */
function summaryOf(content: ToolResult["content"]): string {
  const text = content.find((each) => each.type === "text")?.text;
  if (text !== undefined) return bounded(text);
  return bounded(content.map(({ type }) => type.replace("_", " ")).join(", ") || "nothing");
}

const bounded = (text: string): string =>
  text.length > summaryCharacters ? `${text.slice(0, summaryCharacters - 1).toWellFormed()}…` : text;
