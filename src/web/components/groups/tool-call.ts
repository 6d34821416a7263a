import type { Block, Message } from "../../../schema/session.ts";

export type ToolCall = { id: string; name: string; input: unknown; result: { content: unknown; isError: boolean } | null };

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
export function resultText(content: unknown): string | null {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  const texts = content.map((part: unknown) =>
    typeof part === "object" && part !== null && "text" in part && typeof part.text === "string" ? part.text : null,
  );
  return texts.includes(null) ? null : texts.join("\n");
}

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
