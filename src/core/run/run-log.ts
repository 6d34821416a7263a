import type { RunId } from "../../schema/ids.ts";
import { parseWellFormed } from "../../schema/well-formed.ts";
import type { ProgressFile } from "./progress-store.ts";

/** An event of a run, in the form in which its stream sends it. */
export type StreamEvent = { event: string; data: unknown };

export type Logged<Event extends StreamEvent> = Event & { id: string };

/** `ready` returns the next event if it is there already. */
export type LoggedEvents<Event extends StreamEvent> = {
  [Symbol.asyncIterator](): AsyncIterator<Logged<Event>> & { ready(): Logged<Event> | undefined };
};

/**
 * The events of one run, kept once for all readers: first in a file, then shown. A reader is only a position in the log. If
 * it falls behind it is caught up from the file and loses nothing, and if it comes late it starts at the beginning.
 */
export type RunLog<Event extends StreamEvent> = {
  runId: RunId;
  /** Runs `work` before the first event, until it has succeeded once; callers at the same time share its promise. */
  begin(work: () => Promise<void>): Promise<void>;
  /** Does nothing after the end. */
  append(event: Event): void;
  /** Ends the log; readers get what is left and then finish. */
  close(): void;
  isClosed(): boolean;
  /** Events after the given id, or all of them if the id belongs to another run. */
  read(afterId?: string): LoggedEvents<Event>;
  /** Resolves when the log is closed and has no reader left. */
  unread(): Promise<void>;
};

export type RunLogDeps<Event extends StreamEvent> = {
  progress: ProgressFile;
  /** Checks an event that was read back from the file. */
  parse: (event: unknown) => Event;
  /** Called once if the file cannot be written. The events are then kept in memory instead. */
  onProblem: (error: unknown) => void;
  /** How many characters of events stay in memory for readers that are up to date. */
  window?: number;
};

/** How many events a reader that fell behind gets from the file at once. */
const stride = 256;

export function createRunLog<Event extends StreamEvent>(
  runId: RunId,
  { progress, parse, onProblem, window = 1_000_000 }: RunLogDeps<Event>,
): RunLog<Event> {
  const unwritten: Event[] = [];
  let recent: { event: Logged<Event>; size: number }[] = [];
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

  function show(events: readonly Event[], lines: readonly string[]): void {
    for (const [index, event] of events.entries()) {
      const size = lines[index]?.length ?? 0;
      recent.push({ event: { ...event, id: `${runId}.${shown}` }, size });
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

  async function readBack(from: number): Promise<Logged<Event>[]> {
    const lines = await progress.read(from, Math.min(stride, onlyInFile - from));
    return lines.map((line, index) => ({ ...parse(parseWellFormed(line)), id: `${runId}.${from + index}` }));
  }

  return {
    runId,
    begin: (work) =>
      (begun ??= work().catch((error: unknown) => {
        begun = undefined;
        throw error;
      })),
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
      let position = placeAfter(runId, afterId);
      let ahead: Logged<Event>[] = [];
      let hasLeft = false;
      const leave = (): IteratorReturnResult<undefined> => {
        if (!hasLeft) readers -= 1;
        hasLeft = true;
        wakeReaders();
        return { done: true, value: undefined };
      };
      const isOnlyInFile = (): boolean => ahead.length === 0 && position < onlyInFile;
      const ready = (): Logged<Event> | undefined => {
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

/** The run that an event id belongs to, for a client that comes back with the last id it saw. */
export const runOfEventId = (id: string): string => id.split(".", 1)[0] ?? "";

/** The place in the log of a run behind the last event that a client saw; its beginning for an event of another run. */
export function placeAfter(runId: RunId, afterId: string | undefined): number {
  if (afterId === undefined || runOfEventId(afterId) !== runId) return 0;
  const number = Number(afterId.slice(runId.length + 1));
  return Number.isSafeInteger(number) && number >= 0 ? number + 1 : 0;
}
