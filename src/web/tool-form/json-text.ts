import { findNodeAtLocation, parse, parseTree } from "jsonc-parser";
import type { ParseError } from "jsonc-parser";
import type { Path } from "./json.ts";

export type ReadText = { value: unknown; problem: null } | { problem: TextProblem };

/** What is wrong with a text that should be JSON: in words, and where. */
export type TextProblem = { sentence: string; offset: number };

export function readJson(text: string): ReadText {
  try {
    return { value: JSON.parse(text) as unknown, problem: null }; // JSON.parse answers any
  } catch (failure) {
    if (failure instanceof SyntaxError) return { problem: problemIn(text) };
    throw failure;
  }
}

/** How the editor writes a value. */
export const writeJson = (value: unknown): string => JSON.stringify(value, null, 2) ?? "";

/** The browser says that a text is no JSON; this parser says where, which the browser does not always. */
function problemIn(text: string): TextProblem {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  const [first] = errors;
  const offset = first?.offset ?? text.length;
  const { line, column } = placeOf(text, offset);
  return { sentence: `Line ${line}, column ${column}: ${first === undefined ? other : (reasons[first.error] ?? other)}`, offset };
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** Where in the text a part of the value stands; the nearest part around it where it is missing. */
export function spanOf(text: string, path: Path): { from: number; to: number } {
  const tree = parseTree(text);
  for (let length = path.length; tree !== undefined && length >= 0; length -= 1) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node !== undefined) return { from: node.offset, to: length === path.length ? node.offset + node.length : node.offset + 1 };
  }
  return { from: 0, to: 0 };
}

const other = "this is not JSON.";

/** By the parser's codes. */
const reasons: Readonly<Record<number, string | undefined>> = {
  1: "a word that JSON does not have. Texts stand in double quotes.",
  2: "a number that JSON does not have.",
  3: "the name of a key is missing; it stands in double quotes.",
  4: "a value is missing.",
  5: "a colon is missing after the name of a key.",
  6: "a comma is missing.",
  7: "a closing brace } is missing.",
  8: "a closing bracket ] is missing.",
  9: "there is something after the end.",
  10: "JSON has no comments.",
  11: "a comment is not closed.",
  12: "a text is not closed with a double quote.",
  13: "a number is not complete.",
  14: "the four digits after \\u are not complete.",
  15: "a backslash is followed by what it cannot be followed by.",
  16: "a character that must be written with a backslash, such as \\n.",
};
