export type EventChannel<Event> = AsyncIterable<Event> & {
  push(event: Event): void;
  /** What was pushed is still delivered; then the iteration ends. */
  close(): void;
};

/** Hands events from whoever has them (the message loop, a hook, a tool) to the one who reads, in order. */
export function createEventChannel<Event>(): EventChannel<Event> {
  const events: Event[] = [];
  let closed = false;
  let wake: () => void = () => undefined;

  return {
    push(event) {
      if (closed) return;
      events.push(event);
      wake();
    },
    close() {
      closed = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const event = events.shift();
        if (event !== undefined) yield event;
        else if (closed) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
