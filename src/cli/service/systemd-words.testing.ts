/** The value of a key in a unit, without what systemd would do to it. */
export function valueOf(unit: string, key: string): string {
  const lines = unit.split("\n").filter((line) => line.startsWith(`${key}=`));
  if (lines.length !== 1) throw new Error(`${key} stands there ${lines.length} times.`);
  return lines[0]?.slice(key.length + 1) ?? "";
}

/** What systemd makes of `ExecStart=`: words, escapes, specifiers, and variables everywhere but in the program itself. */
export function commandOf(unit: string): string[] {
  const [program = "", ...args] = wordsOf(valueOf(unit, "ExecStart"));
  if (!program.startsWith("/") || /["'\\$]/.test(program)) throw new Error(`systemd takes no program ${program}.`);
  return [program, ...args.map(withoutVariables)];
}

/** As systemd.syntax(7) and systemd.service(5) say. What systemd would take for something else is an error. */
export function wordsOf(value: string): string[] {
  const words: string[] = [];
  let at = 0;
  while (at < value.length) {
    if (value[at] === " ") at += 1;
    else {
      const { word, end } = wordAt(value, at);
      words.push(withoutSpecifiers(word));
      at = end;
    }
  }
  return words;
}

function wordAt(value: string, start: number): { word: string; end: number } {
  let quote: string | null = null;
  let word = "";
  let at = start;
  for (; at < value.length; at += 1) {
    const character = value.charAt(at);
    if (character === "\\") {
      at += 1;
      word += escaped(value.charAt(at));
    } else if (quote === null && /["']/.test(character)) quote = character;
    else if (character === quote) quote = null;
    else if (quote === null && character === " ") break;
    else word += character;
  }
  if (quote !== null) throw new Error("A quote is left open.");
  return { word, end: at };
}

function escaped(character: string): string {
  if (/^["'\\]$/.test(character)) return character;
  throw new Error(`\\${character} is none of the escapes we write.`);
}

export const withoutSpecifiers = (word: string): string =>
  word.replaceAll(/%(.?)/gu, (_, next: string) => (next === "%" ? "%" : unexpected(`%${next}`)));

const withoutVariables = (word: string): string =>
  word.replaceAll(/\$(.?)/gu, (_, next: string) => (next === "$" ? "$" : unexpected(`$${next}`)));

function unexpected(text: string): never {
  throw new Error(`systemd would take ${text} for something else.`);
}
