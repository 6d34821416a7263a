import type { Message } from "../../schema/session.ts";

const longest = 160;
/** More than any line worth showing. The patterns take quadratic time, so the limit is for all texts of a message together. */
const lookedAt = 4_000;

/** The last line of what a message says, as plain text for a card. Null where it says nothing, as one that only calls tools. */
export function previewOf({ blocks }: Pick<Message, "blocks">): string | null {
  const lines = endOf(blocks).split(/[\r\n]+/);
  const line = lines.map(withoutMarks).findLast((plain) => /[\p{L}\p{N}]/u.test(plain));
  return line === undefined ? null : shortened(line);
}

/** The last characters of the texts, with a line break between texts. */
function endOf(blocks: Message["blocks"]): string {
  let end = "";
  for (const block of blocks.toReversed()) {
    if (block.type === "text") end = `${block.text.slice(-lookedAt)}\n${end}`;
    if (end.length >= lookedAt) break;
  }
  // The cut may have left the second half of a character.
  return end.slice(-lookedAt).replace(/^[\uDC00-\uDFFF]/, "");
}

/** Markdown's signs say how a line looks, not what it says. */
function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(?:`{3,}|~{3,}).*$/, "")
    .replace(/^(?:\s*(?:>|[-*+]|#{1,6}|\d{1,9}[.)])(?:\s+|$))+(?:\[[ xX]\]\s+)?/, "")
    .replaceAll(/!?\[([^\][]*)\]\([^()\s]*(?:\s[^()]*)?\)/g, "$1")
    .replaceAll(/\*{1,3}(?=\S)|(?<=\S)\*{1,3}|~~|`+|(?<![\p{L}\p{N}])_{1,3}|_{1,3}(?![\p{L}\p{N}])/gu, "")
    .replaceAll(/\s*\|\s*/g, " ")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
}

/** Cut between characters as people see them, never inside one. */
function shortened(line: string): string {
  if (line.length <= longest) return line;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(line.slice(0, 2 * longest))) {
    if (kept.length + segment.length >= longest) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
