import { createLinkDefinitions } from "./link-definitions.ts";
import { isTooDeep } from "./markdown-depth.ts";

/** A part of a Markdown text that can be drawn by itself. `plain` is not formatted; `rest` is what comes after `mostMarkdown`. */
export type Piece = { kind: "prose" | "plain" | "rest"; text: string } | { kind: "code"; language: string; text: string };

/** Formatted text becomes elements, and a page with more of them than this is slow. */
export const mostMarkdown = 100_000;

/** A piece that a reader may have to wait for at each new word must stay small. */
const longestPiece = 8000;

/**
 * Cuts a text where Markdown lets go: at blank lines between blocks, and around fenced code. Only the last piece changes while
 * the text grows, so what was drawn stays as it is. A block that never ends is cut all the same, between its lines or words.
 */
export function markdownPieces(text: string): Piece[] {
  if (text.length > mostMarkdown) {
    const end = text.lastIndexOf("\n", mostMarkdown);
    const cut = end > mostMarkdown / 2 ? end : mostMarkdown;
    return [...markdownPieces(text.slice(0, cut)), { kind: "rest", text: text.slice(cut) }];
  }
  const pieces: Piece[] = [];
  const definitions = createLinkDefinitions({ longestText: longestPiece, mostAdded: mostMarkdown });
  let prose: string[] = [];
  let size = 0;

  const endProse = () => {
    const said = prose.join("\n").trimEnd();
    if (said.trim() !== "") pieces.push({ kind: isTooDeep(said) ? "plain" : "prose", text: said });
    prose = [];
    size = 0;
  };

  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const fence = opensFence(line);
    if (fence !== null) {
      endProse();
      const begin = at + 1;
      do at += 1;
      while (at < lines.length && !closesFence(lines[at] ?? "", fence.marks));
      pieces.push({ kind: "code", language: fence.language, text: lines.slice(begin, at).join("\n") });
      continue;
    }
    definitions.collect(line);
    if (beginsBlock(line, prose)) endProse();
    for (const part of wordsOf(line)) {
      if (size + part.length > longestPiece && prose.length > 0) {
        const head = tableHead(prose);
        endProse();
        prose.push(...head);
      }
      prose.push(part);
      size += part.length + 1;
    }
  }
  endProse();
  return pieces.map((piece) => (piece.kind === "prose" ? { ...piece, text: definitions.appendTo(piece.text) } : piece));
}

type Fence = { marks: string; language: string };

function opensFence(line: string): Fence | null {
  const [, marks, language] = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/.exec(line) ?? [];
  return marks === undefined ? null : { marks, language: language ?? "" };
}

const closesFence = (line: string, marks: string): boolean => {
  const closing = line.trim();
  return closing.startsWith(marks) && closing.replaceAll(marks.charAt(0), "") === "";
};

/** After a blank line, at the margin, and not one more item of the list above. */
function beginsBlock(line: string, before: readonly string[]): boolean {
  if (before.length === 0 || before.at(-1)?.trim() !== "") return false;
  if (/^\s|^$/.test(line)) return false;
  return !(isItem(line) && isItem(before.find((each) => each.trim() !== "") ?? ""));
}

const isItem = (line: string): boolean => /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/.test(line);

/** A table that is cut keeps its head in every piece. */
const tableHead = (prose: readonly string[]): readonly string[] =>
  /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-*:?\s*)+$/.test(prose[1] ?? "") ? prose.slice(0, 2) : [];

/** A line that is longer than a piece comes in parts, each cut behind a word. */
function wordsOf(line: string): string[] {
  if (line.length <= longestPiece) return [line];
  const parts: string[] = [];
  for (let from = 0; from < line.length;) {
    const space = line.lastIndexOf(" ", from + longestPiece);
    const end = from + longestPiece >= line.length ? line.length : space > from ? space + 1 : from + longestPiece;
    parts.push(line.slice(from, end));
    from = end;
  }
  return parts;
}
