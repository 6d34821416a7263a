import type { Block, Message } from "../../../schema/session.ts";
import type { ToolContent } from "../../../schema/tool.ts";
import { resultPieces } from "./tool-result/result-pieces.ts";

type ToolOutcome = { content: unknown; isError: boolean };

export type ToolCall = { id: string; name: string; input: unknown; result: ToolOutcome | null };

/** A message as it is read: passages of text, and between them runs of tool calls, each with its result. */
export type Passage = { kind: "text"; key: string; text: string } | { kind: "calls"; key: string; calls: ToolCall[] };

export function passagesOf(message: Message): Passage[] {
  const results = new Map(message.blocks.flatMap((block) => (block.type === "tool_result" ? [[block.id, block]] : [])));
  const passages: Passage[] = [];
  message.blocks.forEach((block, index) => {
    if (block.type === "text") passages.push({ kind: "text", key: `text ${index}`, text: block.text });
    if (block.type !== "tool_use") return;
    const call = callOf(block, results.get(block.id));
    const last = passages.at(-1);
    if (last?.kind === "calls") last.calls.push(call);
    else passages.push({ kind: "calls", key: block.id, calls: [call] });
  });
  return passages;
}

type ResultBlock = Extract<Block, { type: "tool_result" }>;

const callOf = ({ id, name, input }: Extract<Block, { type: "tool_use" }>, result: ResultBlock | undefined): ToolCall => ({
  id,
  name,
  input,
  result: result === undefined ? null : { content: result.content, isError: result.isError },
});

/** `mcp__<member>__<tool>` names a member's tool; anything else is one of the agent's own. */
export function toolName(name: string): { member: string | null; tool: string } {
  const [, member, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return member === undefined || tool === undefined ? { member: null, tool: name } : { member, tool };
}

/** The argument that says most in one line: the first text in it. */
export function mainArgument(input: unknown): string {
  if (typeof input !== "object" || input === null) return typeof input === "string" ? input : "";
  const first = Object.values(input).find((value) => typeof value === "string" || typeof value === "number");
  return first === undefined ? "" : String(first);
}

/** What a tool answered, as text where it is text. */
export function resultText({ content, isError }: ToolOutcome): string | null {
  const pieces = resultPieces(content);
  if (pieces === null || pieces.some(({ type }) => type !== "text")) return null;
  const text = textOfPieces(pieces);
  return isError ? withoutMarkup(text) : text;
}

export const textOfPieces = (pieces: readonly ToolContent[]): string =>
  pieces.flatMap((piece) => (piece.type === "text" ? [piece.text] : [])).join("\n");

/** The SDK wraps what it says itself of a failed call for the model, which reads marks; a person does not. */
const withoutMarkup = (text: string): string => /^\s*<tool_use_error>(.*)<\/tool_use_error>\s*$/s.exec(text)?.[1] ?? text;

export function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** A message that is still growing gives each of its calls anew; most are the same as before. */
export const isSameCall = (one: ToolCall, other: ToolCall): boolean =>
  one.id === other.id &&
  one.input === other.input &&
  one.result?.content === other.result?.content &&
  one.result?.isError === other.result?.isError;
