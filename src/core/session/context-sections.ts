import { ContextSection } from "../../schema/context.ts";
import { closeFences, headingOf, isListItem, linesOf, unfencedHeadings } from "./markdown-lines.ts";

const titles: Record<ContextSection, string> = {
  goal: "Goal",
  decisions: "Decisions",
  in_progress: "In progress",
  resources: "Resources",
};

export const titleOf = (section: ContextSection): string => titles[section];

/** The context file of a new session, unless its creator brought one along. */
export const initialContext = (name: string): string =>
  `# ${name.replaceAll(/\s+/g, " ")}\n${Object.values(titles)
    .map((title) => `\n## ${title}\n`)
    .join("")}`;

/** Where a section's text stands, below its heading. */
export type Span = { start: number; end: number };

/**
 * A section begins below its heading, of level 1 or 2, and ends before the next heading that is not below it. Our own
 * headings count wherever they stand, so that a code fence which somebody forgot to close cannot swallow the sections after it.
 */
export function findSection(text: string, section: ContextSection): Span | null {
  const lines = linesOf(text);
  const marks = lines.flatMap(({ text: line }, at) => {
    const heading = headingOf(line);
    const named = heading === null || heading.level > deepestMark ? undefined : sectionNamed(heading.title);
    return heading === null || named === undefined ? [] : [{ at, level: heading.level, named }];
  });
  const own = marks.filter(({ named }) => named === section);
  // A session may be called "Goal", and then its title is the first of that name.
  const mark = own.find(({ level }) => level === deepestMark) ?? own[0];
  if (mark === undefined) return null;
  const first = mark.at + 1;
  const next = marks.find(({ at }) => at > mark.at)?.at ?? lines.length;
  const inside = lines.slice(first, next);
  const over = unfencedHeadings(inside.map((line) => line.text)).find(({ level }) => level <= mark.level);
  const start = lines[mark.at]?.end ?? text.length;
  return { start, end: inside[(over?.at ?? inside.length) - 1]?.end ?? start };
}

/** Null where the file has no such section. */
export function sectionText(text: string, section: ContextSection): string | null {
  const span = findSection(text, section);
  return span === null ? null : text.slice(span.start, span.end);
}

/** Everything outside of the section stays as it is, byte for byte. A section that is not there is added at the end. */
export function replaceSection(text: string, section: ContextSection, content: string): string {
  const body = fitted(content, section);
  const span = findSection(text, section);
  return span === null ? withNewSection(text, section, body) : spliced(text, span, span.start, body);
}

/** Adds to what the section says, whatever that is by now. */
export function appendToSection(text: string, section: ContextSection, content: string): string {
  const body = fitted(content, section);
  const span = findSection(text, section);
  if (span === null) return withNewSection(text, section, body);
  const present = text.slice(span.start, span.end).trimEnd();
  if (present.trim() === "" || body === "") return body === "" ? text : spliced(text, span, span.start, body);
  const missingFence = closeFences(present).slice(present.length);
  const lastLine = linesOf(present).at(-1)?.text ?? "";
  const gap = missingFence === "" && isListItem(lastLine) && isListItem(body) ? "" : "\n";
  return spliced(text, span, span.start + present.length, `${missingFence}\n${gap}${body}`);
}

const deepestMark = 2;

function sectionNamed(title: string): ContextSection | undefined {
  const plain = title.replace(/:$/, "").trim().toLowerCase();
  return ContextSection.options.find((section) => titles[section].toLowerCase() === plain);
}

/** Content that stays inside of its section: no heading in it ends the section or begins another, and no code fence runs on. */
function fitted(content: string, section: ContextSection): string {
  const text = content
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
  const [first = "", ...rest] = text.split("\n");
  const isRepeated = sectionNamed(headingOf(first)?.title ?? "") === section;
  const lines = closeFences(isRepeated ? rest.join("\n").replace(/^(?:[ \t]*\n)+/, "") : text).split("\n");
  const outsideCode = new Set(unfencedHeadings(lines).map(({ at }) => at));
  const lowered = lines.map((line, at) => {
    const heading = headingOf(line);
    if (heading === null || heading.level > deepestMark) return line;
    return outsideCode.has(at) || sectionNamed(heading.title) !== undefined ? line.replace(/#{1,2}/, "###") : line;
  });
  return lowered.join("\n");
}

/** Puts `body` between `from` and the end of the section, in the file's own line ends. */
function spliced(text: string, { start, end }: Span, from: number, body: string): string {
  const eol = eolOf(text);
  const head = text.slice(0, from);
  const tail = text.slice(end);
  const lineEnd = head.endsWith("\n") || from > start ? "" : eol;
  if (body === "") return `${head}${lineEnd}${tail === "" ? "" : eol}${tail}`;
  const opening = from > start ? "" : lineEnd + eol;
  return `${head}${opening}${body.replaceAll("\n", eol)}${tail === "" ? eol : eol + eol}${tail}`;
}

function withNewSection(text: string, section: ContextSection, body: string): string {
  const eol = eolOf(text);
  const gap = text === "" || /\n\r?\n$/.test(text) ? "" : text.endsWith("\n") ? eol : eol + eol;
  return `${text}${gap}## ${titles[section]}${eol}${body === "" ? "" : `${eol}${body.replaceAll("\n", eol)}${eol}`}`;
}

const eolOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");
