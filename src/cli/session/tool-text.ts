import { toolText } from "../../client/tool-text.ts";

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
