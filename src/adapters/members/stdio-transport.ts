import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, isJSONRPCRequest, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { answerLimit, answerTooLong } from "./answer-limit.ts";
import { notMcp } from "./end-reasons.ts";
import { createLineReader } from "./line-reader.ts";
import { readPaced } from "./read-paced.ts";

/** What may wait for a member that does not read what it is told. */
const unreadLimit = 32 * 1024 * 1024;

/**
 * MCP over the pipes of a process that is already there: one message per line. The SDK's own transport starts the
 * process itself, outside any group and with an environment it adds to.
 */
export function createStdioTransport(pipes: { stdin: Writable; stdout: Readable }): Transport {
  const { stdin, stdout } = pipes;
  /** Requests without an answer yet, so that one that went wrong fails at once instead of when its time is up. */
  const open = new Set<RequestId>();
  let closed = false;

  const receive = (message: JSONRPCMessage): void => {
    if (!("method" in message) && message.id !== undefined) open.delete(message.id);
    transport.onmessage?.(message);
  };
  const refuse = (id: RequestId, message: string): void =>
    receive({ jsonrpc: "2.0", id, error: { code: ErrorCode.InternalError, message } });

  const takeLine = (line: string): void => {
    if (line.trim() === "") return;
    const value = parseJson(line);
    const message = JSONRPCMessageSchema.safeParse(value);
    if (message.success) return receive(message.data);
    const id = idOf(value);
    if (id !== null && open.has(id)) return refuse(id, notMcp);
    transport.onerror?.(new Error(`A line on stdout is not a message: ${line.slice(0, 200)}`));
  };
  const takeLongLine = ({ head, tail }: { head: string; tail: string }): void => {
    const id = [idInText(tail, lastId), idInText(head, firstId)].find((found) => found !== null && open.has(found));
    // Nobody knows whose it was, so nobody may wait for it.
    for (const each of id === undefined || id === null ? [...open] : [id]) refuse(each, answerTooLong);
  };

  const end = (): void => {
    if (closed) return;
    closed = true;
    stdin.end();
    transport.onclose?.();
  };

  const transport: Transport = {
    start() {
      const read = createLineReader(answerLimit, { onLine: takeLine, onLongLine: takeLongLine });
      readPaced<Buffer>(stdout, (piece) => {
        if (!closed) read(piece);
      });
      stdout.once("close", end);
      return Promise.resolve();
    },
    send(message) {
      if (closed || !stdin.writable) return Promise.reject(new Error("The member no longer takes messages."));
      if (stdin.writableLength > unreadLimit) {
        end();
        return Promise.reject(new Error("The member does not read what it is told."));
      }
      if (isJSONRPCRequest(message)) open.add(message.id);
      stdin.write(`${JSON.stringify(message)}\n`);
      return Promise.resolve();
    },
    close() {
      end();
      return Promise.resolve();
    },
  };
  return transport;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // a line that is not JSON, which the caller reports
  }
}

function idOf(value: unknown): RequestId | null {
  if (typeof value !== "object" || value === null || "method" in value || !("id" in value)) return null;
  return typeof value.id === "number" || typeof value.id === "string" ? value.id : null;
}

/** A message begins or ends with its id, depending on who wrote it. Our ids are numbers. */
const firstId = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)/;
const lastId = /"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

function idInText(text: string, pattern: RegExp): number | null {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}
