import { once } from "node:events";
import { request as open } from "node:http";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

/** As `fetch`, which gives up on an answer after five minutes. A tool may take an hour, and the hall is the one who ends it. */
export const patientFetch: typeof fetch = async (input, init) => {
  const wanted = new Request(input, init);
  const body = Buffer.from(await wanted.arrayBuffer());
  // Node links the signal of a request weakly: in an hour it may be collected, and an abort would never arrive.
  const signal = init?.signal ?? wanted.signal;
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
  return new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, { status, headers });
};

/** A `Response` refuses even an empty body with these. */
const hasNoBody: ReadonlySet<number> = new Set([204, 205, 304]);
