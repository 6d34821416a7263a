import type { Block, Message, ModelRequest } from "./model-request.ts";

/** What a script may ask about a request. All of it is read off the request itself, so a retry or a resumed session reads the same. */
export type Conversation = {
  model: string;
  system: string;
  /** What the person wrote, oldest first. */
  userTexts: readonly string[];
  /** 1 for the first answer to the person's last message, 2 after one round of tools, and so on. */
  step: number;
  lastToolResult: ToolResult | undefined;
  tools: readonly string[];
};

export type ToolResult = { name: string; text: string; isError: boolean };

export function readConversation(request: ModelRequest): Conversation {
  const userTexts: string[] = [];
  const toolNames = new Map<string, string>();
  let step = 1;
  let lastToolResult: ToolResult | undefined;
  for (const message of request.messages) {
    if (message.role === "assistant") {
      step += 1;
      for (const block of blocksOf(message)) {
        if (block.type === "tool_use") toolNames.set(block.id ?? "", block.name ?? "");
      }
    }
    if (message.role !== "user") continue;
    const said = personsText(message);
    if (said !== "") {
      userTexts.push(said);
      step = 1;
      lastToolResult = undefined;
    } else {
      lastToolResult = resultsIn(message, toolNames).at(-1) ?? lastToolResult;
    }
  }
  return {
    model: request.model,
    system: [
      textOf(request.system ?? ""),
      ...request.messages.filter((one) => one.role === "system").map((one) => textOf(one.content)),
    ].join("\n"),
    userTexts,
    step,
    lastToolResult,
    tools: (request.tools ?? []).map((tool) => tool.name),
  };
}

const blocksOf = (message: Message): readonly Block[] =>
  typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;

/** The agent program adds blocks of its own to a person's message; those are no words of the person. */
function personsText(message: Message): string {
  return blocksOf(message)
    .filter((block) => block.type === "text")
    .map((block) => withoutReminders(block.text ?? "").trim())
    .filter((text) => text !== "" && !text.startsWith("[Request interrupted by user"))
    .join("\n");
}

const opening = "<system-reminder>";
const closing = "</system-reminder>";

function withoutReminders(text: string): string {
  let rest = text;
  let kept = "";
  for (let at = rest.indexOf(opening); at !== -1; at = rest.indexOf(opening)) {
    kept += rest.slice(0, at);
    const end = rest.indexOf(closing, at);
    rest = end === -1 ? "" : rest.slice(end + closing.length);
  }
  return kept + rest;
}

function resultsIn(message: Message, toolNames: ReadonlyMap<string, string>): ToolResult[] {
  return blocksOf(message)
    .filter((block) => block.type === "tool_result")
    .map((block) => ({
      name: toolNames.get(block.tool_use_id ?? "") ?? "",
      text: textOf(block["content"]),
      isError: block.is_error === true,
    }));
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block: unknown) => (hasText(block) ? block.text : "")).join("\n");
}

const hasText = (block: unknown): block is { text: string } =>
  typeof block === "object" && block !== null && "text" in block && typeof block.text === "string";
