import { Agent, request } from "node:http";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { answerLimit, answerTooLong } from "./answer-limit.ts";

export type MemberFetch = { fetch: FetchLike; close(): void };

/**
 * HTTP to one member on this machine. Not the global `fetch`: that gives up on an answer after five silent minutes,
 * shares its connections with the rest of the hall, and hands on bodies of any length.
 */
export function createMemberFetch(postMs: number): MemberFetch {
  const agent = new Agent({ keepAlive: true });
  return {
    async fetch(url, init = {}) {
      const answer = await send(new URL(url), init, agent, postMs);
      const { statusCode: status = 0, headers } = answer;
      const isEmpty = [101, 204, 205, 304].includes(status);
      if (isEmpty) answer.resume();
      const isStream = headers["content-type"]?.includes("text/event-stream") === true;
      const body = isEmpty ? null : Readable.toWeb(Readable.from(bounded(answer, isStream)));
      // The same streams by two names: Node's and the browser's types do not know of each other.
      return new Response(body as ReadableStream<Uint8Array> | null, { status, headers: headersOf(answer) });
    },
    close: () => agent.destroy(),
  };
}

function send(url: URL, init: RequestInit, agent: Agent, postMs: number): Promise<IncomingMessage> {
  const { method = "GET", body, signal } = init;
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      agent,
      method,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(signal ? { signal } : {}),
    });
    // A call that was given up must not keep its connection for ever; the stream of notifications may.
    const clock = method === "GET" ? undefined : setTimeout(() => asked.destroy(new Error("The member did not answer in time.")), postMs);
    asked.once("close", () => clearTimeout(clock));
    asked.on("error", reject);
    asked.once("response", resolve);
    asked.end(typeof body === "string" ? body : undefined);
  });
}

/** Of a stream of events, the limit is for each event. In small pieces, so that nobody's long answer takes a long turn. */
async function* bounded(body: IncomingMessage, isStream: boolean): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    for (let from = 0; from < chunk.length; from += pieceBytes) {
      const piece = chunk.subarray(from, from + pieceBytes);
      const boundary = isStream ? endOfEvent(piece) : -1;
      length = boundary === -1 ? length + piece.length : piece.length - boundary;
      if (length > answerLimit) throw new Error(answerTooLong);
      yield piece;
      if (from + pieceBytes < chunk.length) await nextTurn();
    }
  }
}

const pieceBytes = 16 * 1024;

/** A boundary that two pieces share is missed, which only makes the limit stricter by one event. */
const endOfEvent = (piece: Buffer): number => Math.max(piece.lastIndexOf("\n\n"), piece.lastIndexOf("\r\n\r\n"), piece.lastIndexOf("\r\r"));

const headersOf = ({ headers }: IncomingMessage): Headers => {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === "string") copied.set(name, value);
  return copied;
};
