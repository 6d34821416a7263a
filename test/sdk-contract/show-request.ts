import type { Block, Message } from "../../src/scripted-model/model-request.ts";

/** One line for each text, call and result that the model was shown. The SDK's description of the machine is left out. */
export function showRequest(messages: readonly Message[]): string[] {
  const calls = new Map<string, string>();
  const show = (role: string, block: Block): string => {
    const { type, id = "", tool_use_id: answers = "" } = block;
    if (type === "tool_use") calls.set(id, showCall(block));
    if (type === "tool_use") return `call ${calls.get(id)}`;
    if (type === "tool_result")
      return `${block.is_error === true ? "error" : "result"} of ${calls.get(answers)}: ${textOf(block["content"])}`;
    return `${role}: ${block.text ?? type}`;
  };
  return messages
    .flatMap(({ role, content }) => blocksOf(content).map((block) => show(role, block)))
    .filter((line) => !line.startsWith("system: # Environment"));
}

/** Without marks for the provider's cache, which move from request to request. */
export const withoutMarks = (messages: readonly Message[]): unknown[] =>
  messages.map(({ content, ...message }) => ({
    ...message,
    content: blocksOf(content).map(({ cache_control: _mark, ...block }) => block),
  }));

const blocksOf = (content: Message["content"]): readonly Block[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

function showCall({ name = "", input }: Block): string {
  const values: unknown[] = Object.values(input ?? {});
  return [name.replace("mcp__work__", ""), ...values].join(" ");
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((block: Block) => block.text ?? block.type).join("\n") : "";
}
