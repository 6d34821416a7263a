import { existsSync, mkdirSync, opendirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import type { SessionId } from "../../../schema/ids.ts";
import type { Layout } from "../layout.ts";
import { isNoDatabase } from "../sqlite-failure.ts";
import { deleteMessageIndex, IndexFull, openMessageIndex, OtherFormat } from "./message-index.ts";
import type { Hit, MessageIndex } from "./message-index.ts";
import { textOfLine } from "./message-text.ts";
import { nothingRead, readLineAt, readNewLines, stampOf } from "./new-lines.ts";
import type { Look, Progress } from "./new-lines.ts";
import { searchExpression } from "./search-words.ts";
import { snippetOf } from "./snippet.ts";
import type { Snippet } from "./snippet.ts";

export type FoundMessage = Snippet & { session: string; messageId: string };

export type IndexKeeper = ReturnType<typeof createIndexKeeper>;

type KeeperDeps = { layout: Layout; onProblem: (error: unknown) => void };

const mostFound = 10_000;
/** Work stops for whoever asks something after so much text, which is some tens of milliseconds. */
const bytesPerSlice = 512 * 1024;
const sessionsPerSlice = 250;
const filesPerBreath = 500;
const mostRounds = 3;
/** Messages of one query come one after the other; they are indexed together. */
const soonMs = 200;

/**
 * Keeps the index of messages in step with the files, from which alone it learns: told that a session changed, it reads
 * what is new there. It waits for disk and database, so it lives in a thread of its own.
 */
export function createIndexKeeper({ layout, onProblem }: KeeperDeps) {
  const path = layout.messageIndex;
  // What is asked for by name was listed in the folder or is an id; it is only joined.
  const messagesOf = (id: string) => layout.session(id as SessionId).messages;
  let index: MessageIndex | null = null;
  const changed = new Set<string>();
  /** Ascending, so that the newest are taken first, from the end. */
  let found: string[] = [];
  let isClosed = false;
  /** What was known is gone since the last look at every file began. */
  let isIncomplete = false;
  let working: Promise<void> | null = null;
  let checking: Promise<void> | null = null;
  let soon: NodeJS.Timeout | null = null;

  function opened(): MessageIndex {
    if (index !== null) return index;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    try {
      index = openMessageIndex(path);
    } catch (error) {
      if (!isBeyondUse(error)) throw error;
      deleteMessageIndex(path);
      index = openMessageIndex(path);
    }
    return index;
  }

  /** What broke is thrown away and made anew from the files; any other trouble is told and left to the next look. */
  function failed(error: unknown): void {
    onProblem(error);
    if (!isBeyondUse(error) || isClosed) return;
    discard();
    isIncomplete = true;
    void check();
  }

  function discard(): void {
    index?.close();
    index = null;
    found = [];
    deleteMessageIndex(path);
  }

  /** Everything that is under way happens in slices, so that nobody who asks something waits for long. */
  async function workOff(): Promise<void> {
    while (!isClosed && (changed.size > 0 || found.length > 0)) {
      const slice = changed.size > 0 ? [...changed].toSorted() : found.splice(-sessionsPerSlice);
      changed.clear();
      try {
        const rest = lookAt(slice);
        if (rest.length > 0) found.push(...rest);
      } catch (error) {
        failed(error);
      }
      await breathe();
    }
  }

  function work(): Promise<void> {
    working ??= workOff().finally(() => (working = null));
    return working;
  }

  /** One file that cannot be read keeps no other from being found. */
  function newLinesOf(id: string, known: Progress): Look | "gone" | null {
    try {
      return readNewLines(messagesOf(id), known);
    } catch (error) {
      onProblem(error);
      return "gone";
    }
  }

  /** Takes in what is new in some sessions, and answers for which there was no time. */
  function lookAt(ids: readonly string[]): string[] {
    const target = opened();
    let bytes = 0;
    let at = 0;
    target.together(() => {
      for (; at < ids.length && bytes < bytesPerSlice; at += 1) {
        const id = ids[at] ?? "";
        const known = target.progressOf(id);
        const look = newLinesOf(id, known ?? nothingRead);
        if (look === null) continue;
        if (look === "gone") {
          target.remove(id);
          continue;
        }
        if (known === undefined) target.add([id]);
        const number = known?.number ?? target.progressOf(id)?.number ?? 0;
        if (look.isOther && known !== undefined) target.clear(number);
        const messages = look.lines.flatMap(({ offset, text: line }) => {
          const said = textOfLine(line)?.text ?? "";
          return said === "" ? [] : [{ offset, text: said }];
        });
        target.advance(number, messages, look.progress);
        bytes += look.lines.reduce((sum, { text }) => sum + text.length, 0);
        if (look.hasMore) changed.add(id);
      }
    });
    return ids.slice(at);
  }

  /** Compares every file with what is known of it: what happened while nobody watched. */
  async function checkAll(): Promise<void> {
    if (index !== null && !existsSync(path)) discard();
    const target = opened();
    const news: string[] = [];
    // Neither the folder nor what is known of it is held in memory as a whole: they may be very long.
    for (let after = 0, known = target.stamps(after, filesPerBreath); known.length > 0; known = target.stamps(after, filesPerBreath)) {
      for (const { number, id, stamp } of known) {
        const stats = statSync(messagesOf(id), { throwIfNoEntry: false });
        if (stats === undefined || stampOf(stats) !== stamp) news.push(id);
        after = number;
      }
      await breathe();
      if (isClosed || index !== target) return;
    }
    const folder = opendirSync(layout.sessions, { bufferSize: filesPerBreath });
    try {
      for (let count = 1, entry = folder.readSync(); entry !== null; count += 1, entry = folder.readSync()) {
        const { name } = entry;
        if (!name.startsWith(".") && target.progressOf(name) === undefined && existsSync(messagesOf(name))) news.push(name);
        if (count % filesPerBreath === 0) await breathe();
        if (isClosed || index !== target) return;
      }
    } finally {
      folder.closeSync();
    }
    news.sort();
    target.together(() => target.add(news));
    found = news;
    await work();
  }

  /** Again where the index broke meanwhile, but not for ever: then the next look is the one of the timer. */
  async function checkUntilComplete(): Promise<void> {
    for (let round = 0; round < mostRounds && !isClosed; round += 1) {
      isIncomplete = false;
      await checkAll().catch(failed);
      if (!isIncomplete) return;
    }
  }

  function check(): Promise<void> {
    checking ??= checkUntilComplete().finally(() => (checking = null));
    return checking;
  }

  return {
    check,

    changed(id: string): void {
      changed.add(id);
      soon ??= setTimeout(() => {
        soon = null;
        void work();
      }, soonMs);
    },

    /** Sessions with the words in a message; what was said a moment ago counts. */
    find(search: string): Hit[] {
      const expression = searchExpression(search);
      if (expression === null) return [];
      try {
        const ids = [...changed].toSorted();
        // Before the look, which adds those that it read a part of.
        changed.clear();
        for (const id of lookAt(ids)) changed.add(id);
        return opened().find(expression, mostFound);
      } catch (error) {
        failed(error);
        return [];
      }
    },

    /** What was found, to be shown. A message that was changed meanwhile is left out. */
    show: (search: string, hits: readonly Hit[]): FoundMessage[] =>
      hits.flatMap(({ session, offset }) => {
        const line = readLineAt(messagesOf(session), offset);
        const message = line === null ? null : textOfLine(line);
        return message === null ? [] : [{ session, messageId: message.id, ...snippetOf(message.text, search) }];
      }),

    async settled(): Promise<void> {
      await checking;
      await work();
    },

    async close(): Promise<void> {
      isClosed = true;
      if (soon !== null) clearTimeout(soon);
      await checking;
      await working;
      index?.close();
      index = null;
    },
  };
}

const isBeyondUse = (error: unknown): boolean => error instanceof IndexFull || error instanceof OtherFormat || isNoDatabase(error);
