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
