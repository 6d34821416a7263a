import { isUtf8 } from "node:buffer";
import type { z } from "zod";
import { HallError } from "../../schema/hall-error.ts";
import { parseWellFormed } from "../../schema/well-formed.ts";
import { fileFailure } from "./file-failure.ts";
import { systemCode } from "../system-code.ts";
import { readWholeFile } from "./read-whole-file.ts";

export type JsonLines<T> = { entries: Entry<T>[]; torn: Torn | null };

/** What a line says, or what is wrong with it and its bytes. Lines are counted from 1. */
export type Entry<T> = { line: number; value: T } | BrokenLine;
export type BrokenLine = { line: number; problem: string; bytes: Uint8Array };

/** Those that whoever writes the file anew would lose. */
export const brokenLines = <T>(entries: readonly Entry<T>[]): BrokenLine[] => entries.filter((entry) => "problem" in entry);

/** A last line that a crash cut off. Nobody was told that it was stored, so it is left out. */
export type Torn = { line: number; bytes: number };

/** For whoever tells of it. */
export const tornLine = (path: string, { line, bytes }: Torn): HallError =>
  new HallError("file_broken", `${path} line ${line} was cut off after ${bytes} bytes. It is left out.`);

/** Reads what is whole. A missing file has no lines; a broken line becomes an entry that says so, and the file stays as it is. */
export async function readJsonLines<T>(path: string, schema: z.ZodType<T>): Promise<JsonLines<T>> {
  try {
    return parseJsonLines(await readWholeFile(path), schema);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return { entries: [], torn: null };
    throw fileFailure(error, path);
  }
}

/**
 * Lines are JSON objects, of which no strict beginning is JSON: so a last line without its line break is whole exactly
 * when it parses, whether a crash cut it or an editor saved it that way. Blank lines are no entries.
 */
export function parseJsonLines<T>(bytes: Uint8Array, schema: z.ZodType<T>): JsonLines<T> {
  const entries: Entry<T>[] = [];
  for (let line = 1, start = 0; start < bytes.length; line += 1) {
    const lineBreak = bytes.indexOf(0x0a, start);
    const end = lineBreak === -1 ? bytes.length : lineBreak;
    const raw = bytes.subarray(start, end);
    const text = decode(raw);
    const parsed = text === null ? null : parseObject(text);
    if (lineBreak === -1 && parsed === null && text !== "") return { entries, torn: { line, bytes: raw.length } };
    const checked = parsed === null ? { problem: "is not a JSON object" } : check(parsed, schema);
    if (text !== "") entries.push("problem" in checked ? { line, ...checked, bytes: raw } : { line, ...checked });
    start = end + 1;
  }
  return { entries, torn: null };
}

/** Null for bytes that are not UTF-8. A byte-order mark and the carriage return of some editors are not content. */
function decode(bytes: Uint8Array): string | null {
  return isUtf8(bytes)
    ? Buffer.from(bytes)
        .toString()
        .replace(/^\uFEFF/, "")
        .trim()
    : null;
}

function parseObject(text: string): object | null {
  try {
    const value = parseWellFormed(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function check<T>(parsed: object, schema: z.ZodType<T>): { value: T } | { problem: string } {
  const checked = schema.safeParse(parsed);
  if (checked.success) return { value: checked.data };
  const issue = checked.error.issues[0];
  return { problem: `has a wrong value at ${issue?.path.join(".") || "its top"}: ${issue?.message ?? "unknown"}` };
}
