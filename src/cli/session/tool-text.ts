import { z } from "zod";

const Text = z.object({ type: z.literal("text"), text: z.string() });
const Typed = z.object({ type: z.string() });

/** The words of what a tool answered; what is not words is named. */
export function toolText(content: unknown): string {
  if (content === null || content === undefined) return "";
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map(partText).join("\n") : JSON.stringify(content, null, 2);
}

function partText(part: unknown): string {
  const text = Text.safeParse(part);
  if (text.success) return text.data.text;
  const typed = Typed.safeParse(part);
  return typed.success ? `[${typed.data.type}]` : JSON.stringify(part);
}

const longestLine = 160;

/** One line about a tool call: its input as it is. */
export const callLine = (name: string, input: unknown): string => `→ ${name} ${shortened(JSON.stringify(input ?? {}))}`;

/** One line about what a tool answered: the first line, and how many there are. */
export function resultLine(name: string, { content, isError }: { content: unknown; isError: boolean }): string {
  const lines = toolText(content).trim().split("\n");
  const more = lines.length > 1 ? ` (${lines.length} lines)` : "";
  return `← ${name}${isError ? " failed" : ""}: ${shortened(lines[0] ?? "")}${more}`;
}

const shortened = (text: string): string => (text.length > longestLine ? `${text.slice(0, longestLine - 1)}…` : text);
