import type { Conversation } from "./conversation.ts";
import type { Reply, ToolCall } from "./reply.ts";

/** Fills `{{name}}` in the text and the tool inputs of a reply. It is substitution of data: what is filled in is not looked at again. */
export function fillPlaceholders(reply: Reply, conversation: Conversation): Reply {
  const fill = (text: string): string => text.replace(placeholder, (whole, name: string) => values.get(name)?.(conversation) ?? whole);
  return {
    ...reply,
    ...(reply.text === undefined ? {} : { text: fill(reply.text) }),
    ...(reply.tools === undefined ? {} : { tools: reply.tools.map((call) => fillCall(call, fill)) }),
  };
}

/** The names in double braces of a reply, known or not. */
export function placeholdersIn(reply: Reply): string[] {
  const texts = [reply.text ?? "", JSON.stringify(reply.tools ?? [])];
  return texts.flatMap((text) => [...text.matchAll(placeholder)].map((match) => match[1] ?? ""));
}

const placeholder = /\{\{\s*([A-Za-z][A-Za-z.]*)\s*\}\}/g;

const values: ReadonlyMap<string, (conversation: Conversation) => string> = new Map([
  ["user", ({ userTexts }: Conversation) => userTexts.at(-1) ?? ""],
  ["firstUser", ({ userTexts }: Conversation) => userTexts[0] ?? ""],
  ["toolResult", (conversation: Conversation) => lastResult(conversation)],
  ["toolResult.firstLine", (conversation: Conversation) => linesOf(lastResult(conversation))[0]?.trim() ?? ""],
  ["toolResult.lineCount", (conversation: Conversation) => String(linesOf(lastResult(conversation)).length)],
  ["tools", ({ tools }: Conversation) => tools.join(", ") || "none"],
  ["model", ({ model }: Conversation) => model],
]);

export const placeholderNames: readonly string[] = [...values.keys()];

const lastResult = ({ toolResults }: Conversation): string => toolResults.at(-1)?.text ?? "";

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

type Input = NonNullable<ToolCall["input"]>;

function fillCall(call: ToolCall, fill: (text: string) => string): ToolCall {
  if (call.rawInput !== undefined) return { ...call, rawInput: fill(call.rawInput) };
  const input: Input = Object.fromEntries(Object.entries(call.input ?? {}).map(([key, value]) => [key, fillValue(value, fill)]));
  return { ...call, input };
}

function fillValue(value: Input[string], fill: (text: string) => string): Input[string] {
  if (typeof value === "string") return fill(value);
  if (Array.isArray(value)) return value.map((entry) => fillValue(entry, fill));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fillValue(entry, fill)]));
}
