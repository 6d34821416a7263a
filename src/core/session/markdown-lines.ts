export type Line = {
  /** Without its end. */
  text: string;
  /** Where the next line begins. */
  end: number;
};

export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length;) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found + 1;
    lines.push({ text: text.slice(start, end).replace(/\r?\n$/, ""), end });
    start = end;
  }
  return lines;
}

/** Headings with `#` only: an underlined one looks too much like a list or a rule for us to cut a person's file there. */
export function headingOf(line: string): { level: number; title: string } | null {
  // Some editors put a mark of their own at the very beginning of a file.
  const marks = /^\uFEFF? {0,3}(#{1,6})(?=[ \t]|$)/.exec(line);
  if (marks === null) return null;
  const title = line
    .slice(marks[0].length)
    .trim()
    .replace(/(?:^|[ \t])#+$/, "")
    .trim();
  return { level: marks[1]?.length ?? 1, title };
}

/** The headings that are not part of a code block. */
export function unfencedHeadings(lines: readonly string[]): { at: number; level: number }[] {
  const { isInside } = fencesOf(lines);
  return lines.flatMap((line, at) => {
    const heading = isInside(at) ? null : headingOf(line);
    return heading === null ? [] : [{ at, level: heading.level }];
  });
}

/** The text, with the fence that it lacks to close its last code block. */
export function closeFences(text: string): string {
  const { open } = fencesOf(linesOf(text).map((line) => line.text));
  return open === null ? text : `${text}${text.endsWith("\n") ? "" : "\n"}${open}`;
}

export const isListItem = (text: string): boolean => /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(text);

/** Code blocks between two fences. One that is never closed is taken for text; `open` is what would close the first of them. */
function fencesOf(lines: readonly string[]): { isInside: (at: number) => boolean; open: string | null } {
  const inside = new Set<number>();
  /** The shortest fence of each kind that nothing closed: nothing closes a longer one either, and there is no need to look again. */
  const unclosed = new Map<string, number>();
  let open: string | null = null;
  for (let at = 0; at < lines.length; at += 1) {
    const fence = fenceOf(lines[at] ?? "");
    if (fence === null || fence.length >= (unclosed.get(fence.charAt(0)) ?? Infinity)) continue;
    const closing = findClosing(lines, at, fence);
    if (closing === null) {
      unclosed.set(fence.charAt(0), fence.length);
      open ??= fence;
      continue;
    }
    for (; at < closing; at += 1) inside.add(at);
    inside.add(closing);
  }
  return { isInside: (at) => inside.has(at), open };
}

/** The marks a line opens a code block with. */
function fenceOf(line: string): string | null {
  const [, fence, rest = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  return fence === undefined || (fence.startsWith("`") && rest.includes("`")) ? null : fence;
}

function findClosing(lines: readonly string[], from: number, fence: string): number | null {
  for (let at = from + 1; at < lines.length; at += 1) if (isClosing(lines[at] ?? "", fence)) return at;
  return null;
}

const isClosing = (line: string, fence: string): boolean => {
  const marks = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return marks?.[0] === fence[0] && (marks?.length ?? 0) >= fence.length;
};
