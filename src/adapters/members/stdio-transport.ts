import type { Readable, Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { answerLimit, answerTooLong } from "./answer-limit.ts";
import { notMcp } from "./end-reasons.ts";
import { answeredId, idsAtEdges, readMessage } from "./json-rpc.ts";
import { createLineReader } from "./line-reader.ts";
import type { Line } from "./line-reader.ts";
import { readPaced } from "./read-paced.ts";

/** What may wait for a member that does not read what it is told. */
const unreadLimit = 32 * 1024 * 1024;
/** How long we listen to one member before it is somebody else's turn. */
const turnMs = 5;
const mostReported = 20;

/**
 * MCP over the pipes of a process that is already there: one message per line. The SDK's own transport starts the
 * process itself, outside any group and with an environment it adds to.
 */
export function createStdioTransport({ stdin, stdout }: { stdin: Writable; stdout: Readable }): Transport {
  /** Requests without an answer yet, so that one that went wrong fails at once instead of when its time is up. */
  const open = new Set<RequestId>();
  let closed = false;
  let reported = 0;

  const receive = (message: JSONRPCMessage): void => {
    if (!("method" in message) && message.id !== undefined) open.delete(message.id);
    try {
      transport.onmessage?.(message);
    } catch (error) {
      // The SDK prints what it does not expect, which fails for what is nested too deeply.
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const refuse = (id: RequestId, message: string): void =>
    receive({ jsonrpc: "2.0", id, error: { code: ErrorCode.InternalError, message } });

  const takeLine = (line: Line): void => {
    if ("head" in line) return takeLongLine(line);
    const value = parseJson(line.text);
    const message = readMessage(value);
    if (message !== null) return receive(message);
    const id = answeredId(value);
    if (id !== null && open.has(id)) return refuse(id, notMcp);
    if (line.text.trim() === "" || (reported += 1) > mostReported) return;
    transport.onerror?.(new Error(`It wrote a line to stdout that is no message: ${line.text.slice(0, 200)}`));
  };
  const takeLongLine = (edges: { head: string; tail: string }): void => {
    const id = idsAtEdges(edges).find((found) => open.has(found));
    // Where nobody knows whose it was, nobody may wait for it.
    for (const each of id === undefined ? [...open] : [id]) refuse(each, answerTooLong);
  };

  const lines = createLineReader(answerLimit);
  async function takePiece(piece: Buffer): Promise<void> {
    let since = performance.now();
    for (const line of lines(piece)) {
      if (closed) return;
      takeLine(line);
      if (performance.now() - since < turnMs) continue;
      await nextTurn();
      since = performance.now();
    }
  }

  const end = (): void => {
    if (closed) return;
    closed = true;
    stdin.end();
    transport.onclose?.();
  };

  const transport: Transport = {
    start() {
      readPaced(stdout, takePiece);
      stdout.once("close", end);
      return Promise.resolve();
    },
    send(message) {
      if (closed || !stdin.writable) return Promise.reject(new Error("The member no longer takes messages."));
      if (stdin.writableLength > unreadLimit) {
        end();
        return Promise.reject(new Error("The member does not read what it is told."));
      }
      if ("method" in message && "id" in message) open.add(message.id);
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

/** Undefined for what is no JSON object, which costs less to see than to parse. */
function parseJson(line: string): unknown {
  if (!line.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // reported by the caller
  }
}
