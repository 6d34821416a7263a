import { appendFile, open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { systemCode } from "./durable-file.ts";
import type { JobEvent, NewJobEvent } from "./job.ts";

const maxLineBytes = 256 * 1024;
const maxTextLength = 32 * 1024;
const maxPageBytes = 1024 * 1024;
const maxPageEvents = 500;

/**
 * The id of an event is where its line begins in the file, plus one: ids rise, and what comes after one is found without
 * reading what comes before.
 */
export function writeEvent(event: NewJobEvent, at: string, offset: number): string {
  const line = JSON.stringify({ id: offset + 1, at, ...event }, (_name, value: unknown) => shorten(value));
  if (Buffer.byteLength(line) < maxLineBytes) return `${line}\n`;
  const told = {
    id: offset + 1,
    at,
    type: "text",
    text: `(Something of ${Buffer.byteLength(line)} bytes happened, too much to be kept: ${event.type}.)`,
  };
  return `${JSON.stringify(told)}\n`;
}

/** Appends to a timeline. `size` is what the last call answered; null the first time, and after a failure: then a line that a crash tore is cut off. */
export async function appendEvent(path: string, event: NewJobEvent, at: string, size: number | null): Promise<number> {
  const offset = size ?? (await cutTornLine(path));
  const line = writeEvent(event, at, offset);
  await appendFile(path, line, { mode: 0o600 });
  return offset + Buffer.byteLength(line);
}

export async function readEvents(path: string, after: number): Promise<{ events: JobEvent[]; hasMore: boolean }> {
  const start = Math.max(0, after - 1);
  // Room for the line that was seen and for the one that is too many.
  const bytes = await readFrom(path, start, maxPageBytes + 2 * maxLineBytes);
  const events: JobEvent[] = [];
  // Whoever names an event has seen it.
  let begin = after > 0 ? lineEnd(bytes, 0) : 0;
  const pageEnd = begin + maxPageBytes;
  const seen = begin > bytes.length ? null : parseLine(bytes.subarray(0, begin));
  for (;;) {
    const end = lineEnd(bytes, begin);
    if (end > bytes.length) return { events, hasMore: false };
    if (events.length === maxPageEvents || end > pageEnd) return { events, hasMore: true };
    const line = bytes.subarray(begin, end);
    const id = start + begin + 1;
    if (line.toString().trim() !== "") events.push({ ...(parseLine(line) ?? broken(path, id, (events.at(-1) ?? seen)?.at)), id });
    begin = end;
  }
}

/** Stands in the timeline for a line that is no event, at the time of the event before it. */
function broken(path: string, id: number, before: string | undefined): JobEvent {
  console.error(`${path} cannot be read at byte ${id - 1}: the line there is not an event.`);
  const text = `(A line of timeline.jsonl, at byte ${id - 1}, cannot be read. It was left as it is.)`;
  return { id, at: before ?? new Date(0).toISOString(), type: "text", text };
}

/** Where the line after this one begins; beyond the end of the bytes when this one is not whole. */
function lineEnd(bytes: Buffer, begin: number): number {
  const newline = bytes.indexOf(10, begin);
  return newline === -1 ? bytes.length + 1 : newline + 1;
}

/** Null for a line that a person or the disk broke. */
function parseLine(bytes: Buffer): JobEvent | null {
  try {
    const event: unknown = JSON.parse(bytes.toString("utf8"));
    // Our own file, written from values of this type.
    return typeof event === "object" && event !== null && "type" in event && "at" in event ? (event as JobEvent) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

async function readFrom(path: string, start: number, length: number): Promise<Buffer> {
  const file = await openOrNull(path, "r");
  if (file === null) return Buffer.alloc(0);
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - start)));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function cutTornLine(path: string): Promise<number> {
  const file = await openOrNull(path, "r+");
  if (file === null) return 0;
  try {
    const { size } = await file.stat();
    const end = await lastLineEnd(file, size);
    if (end < size) await file.truncate(end);
    return end;
  } finally {
    await file.close();
  }
}

async function lastLineEnd(file: FileHandle, size: number): Promise<number> {
  const bytes = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0; end -= bytes.length) {
    const begin = Math.max(0, end - bytes.length);
    const { bytesRead } = await file.read(bytes, 0, end - begin, begin);
    const newline = bytes.subarray(0, bytesRead).lastIndexOf(10);
    if (newline !== -1) return begin + newline + 1;
  }
  return 0;
}

async function openOrNull(path: string, flags: string): Promise<FileHandle | null> {
  try {
    return await open(path, flags);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** A timeline tells what happened; whole files belong into `artifacts/`. */
function shorten(value: unknown): unknown {
  if (typeof value !== "string" || value.length <= maxTextLength) return value;
  return `${value.slice(0, maxTextLength)}… (${value.length} characters)`;
}
