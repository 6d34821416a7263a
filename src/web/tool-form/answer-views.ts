import type { ToolAnswer, ToolContent } from "../../schema/tool.ts";
import { isList, isObject } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { readJson } from "./json-text.ts";

export type AnswerView = "table" | "json" | "content" | "markdown" | "raw";

export type AnswerParts = {
  /** In the order they are offered; the first is shown. */
  views: readonly AnswerView[];
  /** What was answered as data; `undefined` where it was not. */
  data: unknown;
  tables: readonly AnswerTable[];
  /** All text of the answer. */
  text: string;
};

export type AnswerTable = { name: string; rows: readonly JsonObject[]; columns: readonly string[] };

const mostColumns = 40;
const mostTables = 5;
/** Rows that are looked at for columns. */
const mostRows = 200;

/** Which ways there are to look at an answer. */
export function answerParts({ content, structuredContent }: ToolAnswer): AnswerParts {
  const text = content.flatMap((piece) => (piece.type === "text" ? [piece.text] : [])).join("\n");
  const data = structuredContent ?? dataIn(content);
  const tables = tablesIn(data);
  const isOnlyData = content.every((piece) => piece.type === "text" && dataIn([piece]) !== undefined);
  const views: AnswerView[] = [
    ...(tables.length > 0 ? (["table"] as const) : []),
    ...(data !== undefined && structuredContent === undefined ? (["json"] as const) : []),
    ...(data === undefined || !isOnlyData ? (["content"] as const) : []),
    ...(data !== undefined && structuredContent !== undefined ? (["json"] as const) : []),
    ...(text !== "" && data === undefined ? (["markdown"] as const) : []),
    "raw",
  ];
  return { views, data, tables, text };
}

/** A single text that is JSON of more than one value is data that came as text. */
function dataIn(content: readonly ToolContent[]): unknown {
  const [only, ...more] = content;
  if (only?.type !== "text" || more.length > 0 || !/^\s*[[{]/.test(only.text)) return undefined;
  const read = readJson(only.text);
  return read.problem === null ? read.value : undefined;
}

function tablesIn(data: unknown): AnswerTable[] {
  const lists: [string, unknown][] = isList(data) ? [["", data]] : isObject(data) ? Object.entries(data) : [];
  return lists
    .flatMap(([name, value]) => (isList(value) && value.length > 0 && value.every(isObject) ? [{ name, rows: value }] : []))
    .slice(0, mostTables)
    .map(({ name, rows }) => ({ name, rows, columns: columnsOf(rows) }));
}

const columnsOf = (rows: readonly JsonObject[]): string[] =>
  [...new Set(rows.slice(0, mostRows).flatMap((row) => Object.keys(row)))].slice(0, mostColumns);
