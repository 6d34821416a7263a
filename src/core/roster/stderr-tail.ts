import type { MemberLogs } from "../../schema/roster.ts";

export type StderrTail = {
  add(text: string): void;
  /** A line of the hall's own, from where on the words are those of another life. */
  mark(line: string): void;
  read(): MemberLogs;
  /** What the present life wrote last, fit for a sentence; null where it wrote nothing. */
  lastLine(): string | null;
};

const mostCharacters = 64 * 1024;
const pieceCharacters = 4096;
const lastWordsCharacters = 2048;
const mostInSentence = 300;

/** The end of what a member writes to stderr. However much it writes, a piece costs no more than itself. */
export function createStderrTail(): StderrTail {
  /** Small pieces are joined to the last one, so that their number is bounded by the size. */
  const pieces: string[] = [];
  let size = 0;
  let isTruncated = false;
  let lastWords = "";

  function put(text: string): void {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + text.length <= pieceCharacters) pieces[pieces.length - 1] = last + text;
    else pieces.push(text);
    size += text.length;
    while (size - (pieces[0]?.length ?? 0) >= mostCharacters) size -= pieces.shift()?.length ?? 0;
    isTruncated ||= size > mostCharacters;
  }

  return {
    add(text) {
      if (text.length > mostCharacters) isTruncated = true;
      put(text.slice(-mostCharacters));
      lastWords = (lastWords + text.slice(-lastWordsCharacters)).slice(-lastWordsCharacters);
    },
    mark(line) {
      const isMidLine = size > 0 && pieces.at(-1)?.endsWith("\n") === false;
      put(`${isMidLine ? "\n" : ""}${line}\n`);
      lastWords = "";
    },
    read: () => ({ text: pieces.join("").slice(-mostCharacters).toWellFormed(), truncated: isTruncated }),
    lastLine: () => lastOf(lastWords),
  };
}

/** Colours and other controls are for terminals. */
const controls = /\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** What runtimes print below the error that ended them: the stack, the error's fields, their own version. */
const aftermath = /^\s+at |^\s*[{}[\]]+,?\s*$|^\s+\w+: .*,?$|^Node\.js v\d/;

function lastOf(text: string): string | null {
  const lines = text.replaceAll("\r\n", "\n").replaceAll(controls, "").split("\n");
  const written = lines.filter((each) => each.trim() !== "");
  const line = (written.findLast((each) => !aftermath.test(each)) ?? written.at(-1))?.trim();
  if (line === undefined) return null;
  return (line.length > mostInSentence ? `${line.slice(0, mostInSentence - 1)}…` : line).toWellFormed();
}
