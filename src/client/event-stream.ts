import { createParser } from "eventsource-parser";
import type { EventSourceMessage } from "eventsource-parser";
import type { z } from "zod";

export type Streamed<Event> = { id: string | undefined; event: Event };

export type StreamOptions = {
  signal?: AbortSignal;
  /** Called when the hall has accepted the stream, which may be long before its first event. */
  onOpen?: (headers: Headers) => void;
  lastEventId?: string;
};

/** The events of one SSE answer, parsed. Ends when the server ends the stream; comments and unknown fields are skipped. */
export async function* readEventStream<Event>(
  response: Response,
  schema: z.ZodType<Event>,
  signal?: AbortSignal,
): AsyncGenerator<Streamed<Event>> {
  if (response.body === null) return;
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => arrived.push(message) });
  const decoder = new TextDecoder();
  for await (const chunk of chunksOf(response.body, signal)) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    for (const message of arrived.splice(0)) {
      yield { id: message.id, event: schema.parse({ event: message.event, data: JSON.parse(message.data) as unknown }) };
    }
  }
}

/**
 * Not every browser can iterate a stream; a reader works in all of them. It is cancelled by the signal directly: Node links
 * the signal of a request weakly, and once that is collected an abort would never arrive.
 */
async function* chunksOf(body: ReadableStream<Uint8Array>, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const leave = () => void reader.cancel(signal?.reason).catch(() => undefined);
  signal?.addEventListener("abort", leave, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", leave);
    leave();
  }
}
