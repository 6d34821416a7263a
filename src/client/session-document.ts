import type { Block, Message, Session } from "../schema/session.ts";
import { toolText } from "./tool-text.ts";

const speakers: Record<Message["role"], string> = { user: "You", assistant: "Agent" };

/** A session for people to read, in pieces. `clean` is applied to everything that somebody else wrote. */
export async function* sessionMarkdown(
  session: Session,
  messages: AsyncIterable<Message>,
  clean: (text: string) => string,
): AsyncGenerator<string> {
  const { id, name, status, createdAt, lastActivityAt, members, model, messageCount, costUsd } = session;
  yield `---\n${clean(frontMatter({ id, name, status, createdAt, lastActivityAt, members, model, messageCount, costUsd }))}---\n`;
  yield `\n# ${clean(inline(name))}\n`;
  for await (const { role, at, blocks, interrupted } of messages) {
    yield `\n## ${speakers[role]} · ${at}${interrupted === true ? " · broken off" : ""}\n`;
    for (const block of blocks) yield `\n${clean(blockText(block, blocks))}\n`;
  }
}

/** A session for programs to read, in pieces. `write` makes JSON of a value. */
export async function* sessionJson(
  session: Session,
  messages: AsyncIterable<Message>,
  write: (value: unknown) => string,
): AsyncGenerator<string> {
  yield `{"session":${write(session)},"messages":[`;
  let between = "\n";
  for await (const message of messages) {
    yield `${between}${write(message)}`;
    between = ",\n";
  }
  yield "\n]}\n";
}

/** JSON is YAML as well, and says where a text begins and ends. */
const frontMatter = (facts: Record<string, unknown>): string =>
  Object.entries(facts)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join("");

function blockText(block: Block, blocks: readonly Block[]): string {
  switch (block.type) {
    case "text":
      return contained(block.text.trim());
    case "tool_use":
      return folded(`Tool call: ${block.name}`, fenced(JSON.stringify(block.input ?? {}, null, 2), "json"));
    case "tool_result": {
      const call = blocks.find((other) => other.type === "tool_use" && other.id === block.id);
      const name = call?.type === "tool_use" ? call.name : "tool";
      return folded(`${block.isError ? "Failed" : "Result"}: ${name}`, fenced(toolText(block.content), "text"));
    }
  }
}

const folded = (summary: string, content: string): string => `<details>\n<summary>${inline(summary)}</summary>\n\n${content}\n\n</details>`;

/** One line in which no character means anything to Markdown or HTML. */
const inline = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_[\]#|~>]/g, String.raw`\$&`);

/** A block of code whose fence is longer than any run of backticks inside, so that nothing in it can end it. */
export function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/**
 * What was said is Markdown itself and stays so, but cannot reach beyond its own end: a block of code left open is closed,
 * and HTML at the beginning of a line is shown as text. Its headings go below those of the messages.
 */
export function contained(text: string): string {
  let open: string | null = null;
  const lines = text.split("\n").map((line) => {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (open !== null) {
      const [, marks = "", after = ""] = fence ?? [];
      if (marks.startsWith(open) && after.trim() === "") open = null;
      return line;
    }
    const [, marks, info = ""] = fence ?? [];
    if (marks !== undefined && !(marks.startsWith("`") && info.includes("`"))) open = marks;
    return marks === undefined ? line.replace(/^( {0,3})<(?=[A-Za-z/!?])/, "$1&lt;").replace(/^( {0,3})(#{1,2})(?=\s|$)/, "$1##$2") : line;
  });
  return open === null ? lines.join("\n") : [...lines, open].join("\n");
}
