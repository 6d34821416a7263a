import { prefaceOpening } from "../core/agent/preface-opening.ts";
import type { Block, Message, ModelRequest } from "./model-request.ts";

/** What a script may ask about a request. All of it is read off the request itself, so a retry or a resumed session reads the same. */
export type Conversation = {
  model: string;
  /** The system prompt, with what the hall put before messages of the person. */
  system: string;
  /** What the person wrote, oldest first. */
  userTexts: readonly string[];
  /** 1 for the first answer to the person's last message, 2 after one round of tools, and so on. */
  step: number;
  /** Of the last round of tools since the person's last message, in the order they came back. */
  toolResults: readonly ToolResult[];
  tools: readonly string[];
};

export type ToolResult = { name: string; text: string; isError: boolean };

export function readConversation(request: ModelRequest): Conversation {
  const userTexts: string[] = [];
  const toolNames = new Map<string, string>();
  const prefaces: string[] = [];
  let step = 1;
  let toolResults: ToolResult[] = [];
  for (const message of request.messages) {
    const blocks = blocksOf(message).filter((block) => !isPreface(block));
    if (message.role === "assistant") {
      step += 1;
      toolResults = [];
      for (const block of blocks) if (block.type === "tool_use") toolNames.set(block.id ?? "", block.name ?? "");
    }
    if (message.role !== "user") continue;
    for (const block of blocksOf(message)) if (isPreface(block)) prefaces.push(block.text);
    const said = personsText(blocks);
    if (said === "") {
      toolResults.push(...resultsIn(blocks, toolNames));
    } else {
      userTexts.push(said);
      step = 1;
      toolResults = [];
    }
  }
  const systemEntries = request.messages.filter((message) => message.role === "system").map((message) => message.content);
  return {
    model: request.model,
    system: [request.system, ...systemEntries, ...prefaces].map(textOf).join("\n"),
    userTexts,
    step,
    toolResults,
    tools: (request.tools ?? []).map((tool) => tool.name),
  };
}

const blocksOf = (message: Message): readonly Block[] =>
  typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;

const isPreface = (block: Block): block is Block & { text: string } =>
  block.type === "text" && block.text?.startsWith(prefaceOpening) === true;

/** How the agent program's own notes begin, which it sends in the person's place. They go on with a step, and do not start anew. */
const notesOfTheProgram = [
  "[Request interrupted by user",
  "[Your previous response had no visible output",
  "[structured-output-enforce]",
  "Output token limit hit. Resume directly",
  "Your response above was cut off mid-stream. Resume directly",
  "Your response above was stopped by a safety classifier",
];

function personsText(blocks: readonly Block[]): string {
  return blocks
    .filter((block) => block.type === "text")
    .map((block) => withoutReminders(block.text ?? "").trim())
    .filter((text) => text !== "" && !notesOfTheProgram.some((beginning) => text.startsWith(beginning)))
    .join("\n");
}

const opening = "<system-reminder>";
const closing = "</system-reminder>";

function withoutReminders(text: string): string {
  const [before = "", ...rest] = text.split(opening);
  return before + rest.map((part) => (part.includes(closing) ? part.slice(part.indexOf(closing) + closing.length) : "")).join("");
}

function resultsIn(blocks: readonly Block[], toolNames: ReadonlyMap<string, string>): ToolResult[] {
  return blocks
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
