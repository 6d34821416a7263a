/** What a message of a line says, and its id; null for a line that is none. Only what people and the model wrote, not what tools gave. */
export function textOfLine(line: string): { id: string; text: string } | null {
  const message = parsed(line);
  if (!isRecord(message) || typeof message["id"] !== "string" || !Array.isArray(message["blocks"])) return null;
  const texts = message["blocks"].flatMap((block: unknown) =>
    isRecord(block) && block["type"] === "text" && typeof block["text"] === "string" ? [block["text"]] : [],
  );
  return { id: message["id"], text: texts.join("\n") };
}

/** Checked by hand: the schemas would weigh more than all else in the thread that reads lines. */
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** A broken line is reported by whoever shows the history; a search only passes over it. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
