export type StreamedEvent = { id?: string; event: string; data: unknown };

/** `ready` hands out what is there already, one by one, so that whoever is behind is sent it in one piece. */
export type EventSource = { [Symbol.asyncIterator](): AsyncIterator<StreamedEvent> & { ready?(): StreamedEvent | undefined } };

type EncodeEvent = (event: StreamedEvent) => Uint8Array;

type StreamNeeds = {
  /** Called once, however the stream ends. */
  onEnd: () => void;
  encode: EncodeEvent;
};

const heartbeatMs = 15_000;
const mostBytes = 65_536;

/**
 * An SSE answer that pulls: the next event is taken from the source only when the client has room for it, so a slow
 * reader costs nothing but its cursor.
 */
export function eventResponse(source: EventSource, { onEnd, encode }: StreamNeeds): Response {
  const events = source[Symbol.asyncIterator]();
  const next = orQuiet(events);
  let isOver = false;

  function end(): void {
    if (isOver) return;
    isOver = true;
    onEnd();
    next.leave();
  }

  /** With what has come since, as far as it is not much. */
  function inOnePiece(first: Uint8Array): Uint8Array {
    const pieces = [first];
    for (let size = first.length; size < mostBytes; size += pieces.at(-1)?.length ?? 0) {
      const event = events.ready?.();
      if (event === undefined) break;
      pieces.push(encode(event));
    }
    return pieces.length === 1 ? first : Buffer.concat(pieces);
  }

  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(plainBytes("retry: 1000\n\n")),
    async pull(controller) {
      const found = await next.take().catch((error: unknown) => {
        end();
        throw error;
      });
      if (isOver) return;
      if (found === "quiet") return controller.enqueue(plainBytes(": quiet\n\n"));
      if (found.done !== true) return controller.enqueue(inOnePiece(encode(found.value)));
      end();
      controller.close();
    },
    cancel: end,
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" } });
}

/** An event is the same bytes on every stream: they are made once, and kept for as long as somebody has the event. */
export function createEventEncoder(): EncodeEvent {
  const known = new WeakMap<StreamedEvent, Uint8Array>();
  return (event) => {
    const bytes = known.get(event) ?? plainBytes(wordsOf(event));
    known.set(event, bytes);
    return bytes;
  };
}

const encoder = new TextEncoder();
const plainBytes = (text: string): Uint8Array => encoder.encode(text);

/** JSON never holds a raw line break, so one data line is enough. */
const wordsOf = ({ id, event, data }: StreamedEvent): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * The next of a source, or "quiet" where none has come for a while: a quiet stream sends a comment now and then, so that proxies
 * keep it open and a client that is gone is noticed. What comes is waited for once, however long it is quiet before: every
 * further wait would be kept in memory until it comes.
 */
function orQuiet<Value>(source: AsyncIterator<Value>) {
  let coming: Promise<IteratorResult<Value>> | null = null;
  let hasCome = false;
  let wake: () => void = () => undefined;

  function askForNext(): Promise<IteratorResult<Value>> {
    const next = source.next();
    const arrive = (): void => {
      hasCome = true;
      wake();
    };
    next.then(arrive, arrive);
    return next;
  }

  return {
    async take(): Promise<IteratorResult<Value> | "quiet"> {
      coming ??= askForNext();
      await new Promise<void>((resolve) => {
        if (hasCome) return resolve();
        const timer = setTimeout(resolve, heartbeatMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (!hasCome) return "quiet";
      const next = coming;
      coming = null;
      hasCome = false;
      return next;
    },
    /** The source may be waiting for its next event; its return() lets go of what it holds. */
    leave: (): void => void source.return?.(),
  };
}
