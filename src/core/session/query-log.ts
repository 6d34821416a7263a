import type { MessageId } from "../../schema/ids.ts";
import { SessionEvent } from "../../schema/session-event.ts";
import { parseWellFormed } from "../../schema/well-formed.ts";
import type { ProgressFile } from "./progress-store.ts";

export type LoggedEvent = SessionEvent & { id: string };

/** `ready` is the next of them where it is there already. */
export type LoggedEvents = { [Symbol.asyncIterator](): AsyncIterator<LoggedEvent> & { ready(): LoggedEvent | undefined } };

/**
 * The events of one query, kept once for all who watch it: first in a file, then shown. A reader is only a position in it:
 * one that falls behind is caught up from the file and loses nothing, and one that comes late starts at the beginning.
 */
export type QueryLog = {
  messageId: MessageId;
  /** Does the work before the first event, once for all who ask for it. */
  begin(work: () => Promise<void>): Promise<void>;
  /** Settles as that work does, at once where nobody has asked for it. */
  begun(): Promise<void>;
  /** Nothing after the end. */
  append(event: SessionEvent): void;
  /** Ends the log; readers get what is left and then finish. */
  close(): void;
  isClosed(): boolean;
  /** Events after the given id, or all of them where that id is not one of this query. */
  read(afterId?: string): LoggedEvents;
  /** Resolves when it is closed and nobody reads it any more. */
  unread(): Promise<void>;
};

export type QueryLogDeps = {
  progress: ProgressFile;
  /** Told once where the file cannot be written. The events are then kept in memory instead. */
  onProblem: (error: unknown) => void;
  /** How many characters of events stay in memory for readers that are up to date. */
  window?: number;
};

/** How many events a reader that fell behind gets from the file at once. */
const stride = 256;

export function createQueryLog(messageId: MessageId, { progress, onProblem, window = 1_000_000 }: QueryLogDeps): QueryLog {
  const unwritten: SessionEvent[] = [];
  let recent: { event: LoggedEvent; size: number }[] = [];
  let recentSize = 0;
  /** How many events can be read, and how many of them only from the file. */
  let shown = 0;
  let onlyInFile = 0;
  let isFileWhole = true;
  let isWriting = false;
  let isClosed = false;
  let isFinished = false;
  let readers = 0;
  let begun: Promise<void> | undefined;
  let changed = Promise.withResolvers<void>();

  function wakeReaders(): void {
    changed.resolve();
    changed = Promise.withResolvers();
  }

  /** One write at a time, each with everything that came during the last one. */
  async function write(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (unwritten.length > 0) {
      const events = unwritten.splice(0);
      const lines = events.map((event) => JSON.stringify(event));
      if (isFileWhole) await progress.append(lines).catch(goOnWithoutFile);
      show(events, lines);
    }
    isWriting = false;
    if (isClosed) await finish();
  }

  function goOnWithoutFile(error: unknown): void {
    isFileWhole = false;
    onProblem(error);
  }

  function show(events: readonly SessionEvent[], lines: readonly string[]): void {
    for (const [index, event] of events.entries()) {
      const size = lines[index]?.length ?? 0;
      recent.push({ event: { ...event, id: `${messageId}.${shown}` }, size });
      recentSize += size;
      shown += 1;
    }
    if (isFileWhole && recentSize > window) forgetDownTo(window / 2);
    wakeReaders();
  }

  function forgetDownTo(size: number): void {
    const kept = recent.findIndex((each) => (recentSize -= each.size) <= size) + 1;
    recent = recent.slice(kept);
    onlyInFile += kept;
  }

  async function finish(): Promise<void> {
    if (isFinished) return;
    isFinished = true;
    await progress.seal().catch(goOnWithoutFile);
    if (isFileWhole && recent.length > 0) forgetDownTo(0);
    wakeReaders();
  }

  async function readBack(from: number): Promise<LoggedEvent[]> {
    const lines = await progress.read(from, Math.min(stride, onlyInFile - from));
    return lines.map((line, index) => ({ ...SessionEvent.parse(parseWellFormed(line)), id: `${messageId}.${from + index}` }));
  }

  return {
    messageId,
    begin: (work) => (begun ??= work()),
    begun: () => begun ?? Promise.resolve(),
    append(event) {
      if (isClosed) return;
      unwritten.push(event);
      void write();
    },
    close() {
      isClosed = true;
      if (!isWriting) void finish();
    },
    isClosed: () => isClosed,
    read(afterId) {
      let position = positionAfter(messageId, afterId);
      let ahead: LoggedEvent[] = [];
      let hasLeft = false;
      const leave = (): IteratorReturnResult<undefined> => {
        if (!hasLeft) readers -= 1;
        hasLeft = true;
        wakeReaders();
        return { done: true, value: undefined };
      };
      const isOnlyInFile = (): boolean => ahead.length === 0 && position < onlyInFile;
      const ready = (): LoggedEvent | undefined => {
        if (hasLeft || isOnlyInFile()) return undefined;
        const event = ahead.shift() ?? recent[position - onlyInFile]?.event;
        if (event !== undefined) position += 1;
        return event;
      };
      return {
        [Symbol.asyncIterator]: () => {
          readers += 1;
          return {
            async next() {
              while (position >= shown && !isFinished && !hasLeft) await changed.promise;
              if (isOnlyInFile() && !hasLeft) ahead = await readBack(position);
              const event = ready();
              return event === undefined ? leave() : { done: false, value: event };
            },
            ready,
            return: async () => leave(),
          };
        },
      };
    },
    async unread() {
      while (!isFinished || readers > 0) await changed.promise;
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
