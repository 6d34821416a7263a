import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { sendError } from "./api-error.ts";
import { encodeEvent, streamEvents, wholeMessage } from "./message-stream.ts";
import type { ModelRequest } from "./model-request.ts";
import type { Fault, Reply } from "./reply.ts";

/** `sent`: whole, or broken as the script says. `abandoned`: the caller left first. */
export type ReplyEnd = "sent" | "abandoned";

/** Plays one reply onto the wire. */
export async function sendReply(reply: Reply, request: ModelRequest, response: ServerResponse): Promise<ReplyEnd> {
  if (response.destroyed) return "abandoned";
  const left = new AbortController();
  response.once("close", () => left.abort());
  try {
    if (reply.delayMs !== undefined) await wait(reply.delayMs, undefined, { signal: left.signal });
    await play(reply, request, response, left.signal);
    return "sent";
  } catch (error) {
    if (left.signal.aborted) return "abandoned";
    throw error;
  }
}

async function play(reply: Reply, request: ModelRequest, response: ServerResponse, left: AbortSignal): Promise<void> {
  if (reply.error !== undefined) return sendError(response, reply.error);
  const fault = reply.fault;
  if (fault?.how === "hang") return untilGone(left);
  if (fault?.how === "reset") return void response.socket?.resetAndDestroy();
  if (fault?.how === "html")
    return void response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Gateway</title><p>Not a model.</p>");
  if (request.stream === true) return stream(reply, request, response, left);
  const body = JSON.stringify(wholeMessage(reply, request));
  response.writeHead(200, { "content-type": "application/json" });
  if (fault === undefined) return void response.end(body);
  await write(response, body.slice(0, body.length / 2), left);
  await breakOff(fault, response, left);
}

async function stream(reply: Reply, request: ModelRequest, response: ServerResponse, left: AbortSignal): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  // Without this an answer that stalls before its first event would look like one that hangs without headers.
  response.flushHeaders();
  const until = reply.fault === undefined ? Infinity : (reply.fault.afterChunks ?? 0);
  let chunks = 0;
  for (const event of streamEvents(reply, request)) {
    if (reply.fault !== undefined && isPast(event, chunks, until)) break;
    if (event.isContent && chunks > 0 && reply.chunkDelayMs !== undefined) await wait(reply.chunkDelayMs, undefined, { signal: left });
    if (event.isContent) chunks += 1;
    await write(response, encodeEvent(event.data), left);
  }
  if (reply.fault === undefined) return void response.end();
  await breakOff(reply.fault, response, left);
}

/** A broken stream never reaches its closing events, however few pieces it has. */
const isPast = (event: { data: { type: string }; isContent: boolean }, chunks: number, until: number): boolean =>
  (event.isContent && chunks >= until) || event.data.type === "message_delta";

async function breakOff(fault: Fault, response: ServerResponse, left: AbortSignal): Promise<void> {
  switch (fault.how) {
    case "stall":
      return untilGone(left);
    case "malformed":
      return void response.end('event: content_block_delta\ndata: {"type": "content_block_del\n\n');
    case "error-event":
      return void response.end(encodeEvent(overloaded));
    case "end":
      return void response.end();
    case "cut":
      // What was written before is still delivered.
      return response.socket?.destroySoon();
    case "hang":
    case "reset":
    case "html":
      return void response.destroy();
  }
}

const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };

async function write(response: ServerResponse, text: string, left: AbortSignal): Promise<void> {
  left.throwIfAborted();
  if (!response.write(text)) await once(response, "drain", { signal: left });
}

/** Only the caller's leaving ends it, which it reports as every other wait here does: by throwing. */
async function untilGone(left: AbortSignal): Promise<never> {
  if (!left.aborted) await once(left, "abort");
  throw new Error("The caller of the scripted model left.");
}
