import { Agent, request } from "node:http";
import type { IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { startAwakeTimer } from "../awake-timer.ts";
import { boundedBody } from "./bounded-body.ts";

export type MemberFetch = { fetch: FetchLike; close(): void };

/** A member may say how soon its stream of notifications is asked for again; it may not say at once, again and again. */
const betweenStreamsMs = 1000;

/**
 * HTTP to one member on this machine. Not the global `fetch`: that gives up on an answer after five silent minutes,
 * shares its connections with the rest of the hall, and hands on bodies of any length.
 */
export function createMemberFetch(postMs: number): MemberFetch {
  // A connection each: one that was kept may just be closed from the other side, and a call that went down with it cannot
  // be made again by us, because the member may have begun with it. On one machine a new one costs a fraction of a millisecond.
  const agent = new Agent({ keepAlive: false });
  let nextStream = 0;

  async function takeTurn(signal: AbortSignal | null | undefined): Promise<void> {
    const wait = nextStream - performance.now();
    nextStream = Math.max(nextStream, performance.now()) + betweenStreamsMs;
    if (wait > 0) await pause(wait, undefined, signal ? { signal } : {});
  }

  return {
    async fetch(url, init = {}) {
      const { method = "GET" } = init;
      if (method === "GET") await takeTurn(init.signal);
      const answer = await send(new URL(url), { ...init, method }, agent, postMs);
      const status = answer.statusCode ?? 0;
      if (hasNoBody.has(status)) {
        answer.resume();
        return new Response(null, { status, headers: headersOf(answer) });
      }
      return new Response(streamOf(answer, boundedBody(answer, requestIdIn(init.body))), { status, headers: headersOf(answer) });
    },
    close: () => agent.destroy(),
  };
}

function send(url: URL, init: RequestInit, agent: Agent, postMs: number): Promise<IncomingMessage> {
  const { method = "GET", body, signal } = init;
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, method, headers: Object.fromEntries(new Headers(init.headers)) });
    // Without an error: one would be thrown at a connection that nobody listens to any more. Hence no signal above, either.
    const giveUp = () => void asked.destroy();
    // A call that was given up must not keep its connection for ever; the stream of notifications may.
    const stopClock = method === "GET" ? undefined : startAwakeTimer(postMs, giveUp);
    signal?.addEventListener("abort", giveUp);
    asked.once("close", () => {
      stopClock?.();
      signal?.removeEventListener("abort", giveUp);
    });
    asked.on("error", reject);
    asked.once("response", (answer) => {
      // Whoever reads the body learns of it there; where nobody reads, nobody minds.
      answer.on("error", () => undefined);
      resolve(answer);
    });
    if (signal?.aborted === true) giveUp();
    asked.end(typeof body === "string" ? body : undefined);
  });
}

/** Accepted, and the statuses with which the standard allows no body, not even an empty one. */
const hasNoBody = new Set([202, 101, 204, 205, 304]);

/** Whoever stops reading ends the connection; a generator that was never begun would not. */
function streamOf(answer: IncomingMessage, body: AsyncIterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const next = await body.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: () => void answer.destroy(),
  });
}

function headersOf({ headers }: IncomingMessage): Headers {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === "string") copied.set(name, value);
  return copied;
}

/** The SDK writes the id last. */
function requestIdIn(body: RequestInit["body"]): number | null {
  const id = typeof body === "string" ? /"id":(\d+)\}$/.exec(body.slice(-40))?.[1] : undefined;
  return id === undefined ? null : Number(id);
}
