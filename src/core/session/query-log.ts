import type { MessageId } from "../../schema/ids.ts";
import type { SessionEvent } from "../../schema/session-event.ts";

export type LoggedEvent = SessionEvent & { id: string };

/**
 * The events of one query, kept once for all who watch it. A reader is only a position in it: one that falls behind is
 * caught up and loses nothing, and one that comes late starts at the beginning.
 */
export type QueryLog = {
  messageId: MessageId;
  /** Does the work before the first event, once for all who ask for it. */
  begin(work: () => Promise<void>): Promise<void>;
  append(event: SessionEvent): void;
  /** Ends the log; readers get what is left and then finish. */
  close(): void;
  isClosed(): boolean;
  /** Events after the given id, or all of them where that id is not one of this query. */
  read(afterId?: string): AsyncIterable<LoggedEvent>;
};

export function createQueryLog(messageId: MessageId): QueryLog {
  const events: LoggedEvent[] = [];
  let isClosed = false;
  let begun: Promise<void> | undefined;
  let changed = Promise.withResolvers<void>();

  function wakeReaders(): void {
    changed.resolve();
    changed = Promise.withResolvers();
  }

  return {
    messageId,
    begin: (work) => (begun ??= work()),
    append(event) {
      events.push({ ...event, id: `${messageId}.${events.length}` });
      wakeReaders();
    },
    close() {
      isClosed = true;
      wakeReaders();
    },
    isClosed: () => isClosed,
    read(afterId) {
      let position = positionAfter(messageId, afterId);
      let hasLeft = false;
      return {
        [Symbol.asyncIterator]: () => ({
          async next() {
            while (position >= events.length && !isClosed && !hasLeft) await changed.promise;
            const event = hasLeft ? undefined : events[position];
            if (event === undefined) return { done: true, value: undefined };
            position += 1;
            return { done: false, value: event };
          },
          async return() {
            hasLeft = true;
            wakeReaders();
            return { done: true, value: undefined };
          },
        }),
      };
    },
  };
}

/** The query an event id belongs to, for a client that comes back with the last one it saw. */
export const queryOfEventId = (id: string): string => id.split(".", 1)[0] ?? "";

function positionAfter(messageId: MessageId, afterId: string | undefined): number {
  if (afterId === undefined || queryOfEventId(afterId) !== messageId) return 0;
  const number = Number(afterId.slice(messageId.length + 1));
  return Number.isSafeInteger(number) && number >= 0 ? number + 1 : 0;
}
