export type StreamedEvent = { id?: string; event: string; data: unknown };

const heartbeatMs = 15_000;

/**
 * An SSE answer that pulls: the next event is taken from the source only when the client has room for it, so a slow
 * reader costs nothing but its cursor. `onEnd` is called once, however the stream ends.
 */
export function eventResponse(source: AsyncIterable<StreamedEvent>, onEnd: () => void): Response {
  const events = source[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let pending: Promise<IteratorResult<StreamedEvent>> | undefined;
  let isOver = false;

  function end(): void {
    if (isOver) return;
    isOver = true;
    onEnd();
    // The source may be waiting for its next event; its return() lets go of what it holds.
    void events.return?.();
  }

  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode("retry: 1000\n\n")),
    async pull(controller) {
      pending ??= events.next();
      const next = await orQuiet(pending).catch((error: unknown) => {
        end();
        throw error;
      });
      if (isOver) return;
      if (next === "quiet") return controller.enqueue(encoder.encode(": quiet\n\n"));
      pending = undefined;
      if (next.done === true) {
        end();
        return controller.close();
      }
      controller.enqueue(encoder.encode(encode(next.value)));
    },
    cancel: end,
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" } });
}

/** A quiet stream sends a comment now and then: proxies keep it open, and a client that is gone is noticed. */
async function orQuiet<Value>(next: Promise<Value>): Promise<Value | "quiet"> {
  const quiet = Promise.withResolvers<"quiet">();
  const timer = setTimeout(() => quiet.resolve("quiet"), heartbeatMs);
  try {
    return await Promise.race([next, quiet.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** JSON never holds a raw line break, so one data line is enough. */
function encode({ id, event, data }: StreamedEvent): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
