import type { Message } from "../../schema/session.ts";

const longest = 160;
/** More than any line worth showing; what comes before it is not looked at. */
const lookedAt = 4_000;

/** The last line of what a message says, as plain text for a card. Null where it says nothing, as one that only calls tools. */
export function previewOf({ blocks }: Pick<Message, "blocks">): string | null {
  const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text.slice(-lookedAt)] : []));
  const lines = texts.join("\n").split(/[\r\n]+/);
  const line = lines.map(withoutMarks).findLast((plain) => /[\p{L}\p{N}]/u.test(plain));
  return line === undefined ? null : shortened(line);
}

/** Markdown's signs say how a line looks, not what it says. */
function withoutMarks(line: string): string {
  return line
    .slice(-lookedAt)
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
