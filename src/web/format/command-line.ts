/** What a line of a terminal says, as the program and its arguments; or why it cannot be taken apart. */
export type SplitCommand = { parts: string[]; problem: null } | { parts: null; problem: string };

/**
 * Takes a pasted command line apart at its spaces, as a shell would: quotes keep words together, a backslash takes the
 * next character as it is. Nothing is expanded, because no shell will ever see it; what only a shell could do is refused.
 */
export function splitCommandLine(line: string): SplitCommand {
  const parts: string[] = [];
  let part: string | null = null;
  let at = 0;
  const add = (text: string) => (part = (part ?? "") + text);
  while (at < line.length) {
    const character = line.charAt(at);
    at += 1;
    if (character === "'" || character === '"') {
      const quoted = readQuoted(line, at, character);
      if (quoted === null) return refused(`A quotation mark ${character} is open at the end. Close it, or put a backslash before it.`);
      add(quoted.text);
      at = quoted.end;
    } else if (character === "\\") {
      if (at === line.length) return refused("The line ends in a backslash. Take it away, or write what it stands before.");
      // A backslash before a line's end continues the line.
      if (line.charAt(at) !== "\n") add(line.charAt(at));
      at += 1;
    } else if (/\s/.test(character)) {
      if (part !== null) parts.push(part);
      part = null;
    } else if (shellOnly.has(character)) {
      return refused(`${character} means something to a shell only, and no shell takes part. Put it in quotes if the program wants it.`);
    } else {
      add(character);
    }
  }
  if (part !== null) parts.push(part);
  return { parts, problem: null };
}

/** The same as one line, quoted where needed, so that splitting it gives the parts back. */
export const joinCommandLine = (parts: readonly string[]): string => parts.map(quote).join(" ");

const shellOnly: ReadonlySet<string> = new Set(["|", "&", ";", "<", ">", "`", "(", ")"]);

const refused = (problem: string): SplitCommand => ({ parts: null, problem });

const quote = (part: string): string => (/^[\w./:=@%+,${}-]+$/.test(part) ? part : `'${part.replaceAll("'", String.raw`'\''`)}'`);

/** In double quotes a backslash takes away the meaning of a quote and of itself; in single quotes it means itself. */
function readQuoted(line: string, from: number, mark: string): { text: string; end: number } | null {
  let text = "";
  for (let at = from; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === mark) return { text, end: at + 1 };
    const next = line.charAt(at + 1);
    if (mark === '"' && character === "\\" && '"\\$`\n'.includes(next) && next !== "") {
      if (next !== "\n") text += next;
      at += 1;
    } else {
      text += character;
    }
  }
  return null;
}
