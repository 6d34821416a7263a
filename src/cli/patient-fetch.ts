import { once } from "node:events";
import { request as open } from "node:http";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { HallError } from "../schema/hall-error.ts";

/** As `fetch`, which gives up on an answer after five minutes. A tool may take an hour, and the hall is the one who ends it. */
export const patientFetch: typeof fetch = async (input, init) => {
  const wanted = new Request(input, init);
  const body = Buffer.from(await wanted.arrayBuffer());
  // Node links the signal of a request weakly: in an hour it may be collected, and an abort would never arrive.
  const signal = init?.signal ?? wanted.signal;
  // A request that begins aborted fails where nobody listens yet.
  signal.throwIfAborted();
  const asked = open(wanted.url, {
    method: wanted.method,
    headers: { ...Object.fromEntries(wanted.headers), ...(wanted.body === null ? {} : { "content-length": body.byteLength }) },
    signal,
    // A connection that was kept may be closed by the hall in the moment it is used again.
    agent: false,
  });
  const answered = once(asked, "response", { signal });
  asked.end(body);
  // The only event of this name carries exactly one message.
  const [answer] = (await answered) as [IncomingMessage];
  const { statusCode: status = 500, headersDistinct } = answer;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value]));
  if (hasNoBody.has(status)) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  // Node's own type of the same stream.
  const chunks = Readable.toWeb(answer) as ReadableStream<Uint8Array>;
  const brokenOff = (cause: unknown) => (signal.aborted ? cause : wentAway(new URL(wanted.url).origin, cause));
  return new Response(withFailure(chunks, brokenOff), { status, headers });
};

/** Node's "aborted" says neither that it was the hall nor what to do. */
const wentAway = (address: string, cause: unknown): HallError =>
  new HallError(
    "hall_unreachable",
    `The hall at ${address} went away in the middle of its answer. See whether it is open with: guild-hall status`,
    { cause },
  );

/** The same stream, which fails with what is made of its failure. */
function withFailure(chunks: ReadableStream<Uint8Array>, failureOf: (cause: unknown) => unknown): ReadableStream<Uint8Array> {
  const reader = chunks.getReader();
  return new ReadableStream({
    async pull(controller) {
      const next = await reader.read().catch((cause: unknown) => {
        throw failureOf(cause);
      });
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** A `Response` refuses even an empty body with these. */
const hasNoBody: ReadonlySet<number> = new Set([204, 205, 304]);
