import type { IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { answerLimit, AnswerTooLong } from "./answer-limit.ts";

/** Small enough that handing on the next one is no long turn, however many events are in it. */
const pieceBytes = { event: 2 * 1024, whole: 64 * 1024 };

/**
 * The body of a member's answer, no longer than we take. Of a stream of events, the limit is for each event; and one that
 * ends without the answer, as it must not, is ended with an error in its place, because the SDK would wait on.
 */
export function boundedBody(answer: IncomingMessage, requestId: number | null): AsyncGenerator<Uint8Array> {
  const isStream = answer.headers["content-type"]?.includes("text/event-stream") === true;
  if (!isStream) return inPieces(answer, { size: pieceBytes.whole, resets: () => false });
  return requestId === null ? inPieces(answer, asEvents) : withEnd(answer, requestId);
}

type Cut = { size: number; resets(piece: Buffer): boolean };

async function* inPieces(answer: AsyncIterable<Buffer>, { size, resets }: Cut): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of answer) {
    for (let from = 0; from < chunk.length; from += size) {
      const piece = chunk.subarray(from, from + size);
      length = resets(piece) ? piece.length : length + piece.length;
      if (length > answerLimit) throw new AnswerTooLong();
      yield piece;
      if (from + size < chunk.length) await nextTurn();
    }
  }
}

/** An empty line that two pieces share is missed, which makes the limit a little stricter and nothing else. */
const endsEvent = (piece: Buffer): boolean => ["\n\n", "\r\n\r\n", "\r\r"].some((line) => piece.includes(line));

const asEvents: Cut = { size: pieceBytes.event, resets: endsEvent };

/** A stream whose events have ids may end early to be asked for again, and then it ends as it is. */
async function* withEnd(answer: AsyncIterable<Buffer>, requestId: number): AsyncGenerator<Uint8Array> {
  let isResumable = false;
  let failure = { code: Number(ErrorCode.ConnectionClosed), message: "The answer ended before it was complete." };
  try {
    for await (const piece of inPieces(answer, asEvents)) {
      isResumable ||= /^id:/m.test(Buffer.from(piece).toString("latin1", 0, 200));
      yield piece;
    }
  } catch (error) {
    isResumable = false;
    if (error instanceof AnswerTooLong) failure = { code: ErrorCode.InternalError, message: error.message };
  }
  if (isResumable) return;
  const last = JSON.stringify({ jsonrpc: "2.0", id: requestId, error: failure });
  yield Buffer.from(`\n\ndata: ${last}\n\n`);
}
