import { watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { createEntryOrder } from "./entry-order.ts";
import type { Entry, EntryOrder } from "./entry-order.ts";
import { createIndexFiles } from "./index-files.ts";
import type { Change } from "./index-files.ts";
import { inBatches, namesOf, stampOf } from "./truth.ts";
import type { Truth } from "./truth.ts";

export type FileIndex<Value> = {
  page(query: PageQuery<Value>): { values: Value[]; nextCursor: string | null };
  /** Looks at one file again, because it was written, removed or asked for. */
  refresh(name: string): Promise<void>;
  /** False while a rebuild is still finding files: what is listed is true, but not yet everything. */
  isComplete(): boolean;
  /** Resolves when the look at every file that began last is over. */
  settled(): Promise<void>;
  /** Looks at every file now. */
  check(): Promise<void>;
  close(): Promise<void>;
};

export type PageQuery<Value> = {
  limit: number;
  cursor?: string | undefined;
  label?: string | undefined;
  /** `pattern` is tried on the packed text first, so that `confirm` sees only the few values it may fit. */
  search?: { pattern: RegExp; confirm: (value: Value) => boolean } | undefined;
};

export type FileIndexOptions<Value> = {
  /** Where snapshot and journal lie; everything in it may be deleted at any time. */
  folder: string;
  kind: string;
  truth: Truth<Value>;
  /** Told of what changed behind the hall's back. */
  onFound?: (name: string) => void;
  onProblem?: (error: unknown) => void;
  checkEveryMs?: number;
  /** How long the journal may always be; beyond that, no longer than the list itself. */
  journalLines?: number;
};

const batchSize = 64;
const tenMinutes = 600_000;

/** Lists of files without reading the files: from a snapshot at start, kept by our own writes, put right by looking. */
export async function openFileIndex<Value>(options: FileIndexOptions<Value>): Promise<FileIndex<Value>> {
  const { truth, onFound = () => undefined, onProblem = () => undefined, journalLines = 10_000 } = options;
  const files = createIndexFiles(options.folder, options.kind);
  const remembered = await files.load();
  const order: EntryOrder = createEntryOrder(remembered?.values() ?? []);
  let isComplete = remembered !== null;
  let isClosed = false;
  let checking: Promise<void> | null = null;
  let replacing: Promise<void> | null = null;
  /** Looks at one file follow each other, or an old content could be taken for the newer one. */
  const looking = new Map<string, Promise<void>>();

  async function look(name: string): Promise<boolean> {
    const stamp = await stampOf(truth.pathOf(name));
    const known = order.get(name);
    if (stamp === (known?.stamp ?? null)) return false;
    if (stamp === null) {
      order.remove(name);
      record({ remove: name });
      return true;
    }
    const value = await truth.read(name);
    const entry: Entry = { name, stamp, rank: truth.rankOf(value), label: truth.labelOf(value), packed: truth.pack(value) };
    order.put(entry);
    record({ put: entry });
    return true;
  }

  /** Until there is a snapshot, a journal would be a journal of nothing; the snapshot that ends a rebuild holds it all. */
  function record(change: Change): void {
    if (!isComplete) return;
    files.append(change);
    shorten();
  }

  function lookInTurn(name: string): Promise<boolean> {
    const found = (looking.get(name) ?? Promise.resolve()).then(() => look(name));
    const done = found.then(
      () => undefined,
      () => undefined,
    );
    looking.set(name, done);
    void done.then(() => looking.get(name) === done && looking.delete(name));
    return found;
  }

  /** A journal longer than what it is about is put into a new snapshot, in the background. */
  function shorten(): void {
    if (replacing !== null || checking !== null || isClosed) return;
    if (files.journalLength() < Math.max(journalLines, order.size())) return;
    replacing = files
      .replace(order.all)
      .catch(onProblem)
      .finally(() => (replacing = null));
  }

  async function checkAll(): Promise<void> {
    const names = new Set(await namesOf(truth));
    for (const name of order.names()) names.add(name);
    let found = 0;
    await inBatches([...names], batchSize, async (name) => {
      if (isClosed || (await stampOf(truth.pathOf(name))) === (order.get(name)?.stamp ?? null)) return;
      // One that cannot be looked at keeps its last entry and does not keep the others from being found.
      const hasChanged = await lookInTurn(name).catch(onProblem);
      if (hasChanged !== true) return;
      found += 1;
      if (isComplete) onFound(name);
    });
    if (isClosed) return;
    const wasComplete = isComplete;
    isComplete = true;
    if (!wasComplete || found > journalLines) await files.replace(order.all);
  }

  function check(): Promise<void> {
    checking ??= checkAll()
      .catch(onProblem)
      .finally(() => (checking = null));
    return checking;
  }

  const watcher = watchNames(truth, (name) => void lookInTurn(name).then((changed) => changed && onFound(name), onProblem), onProblem);
  const timer = setInterval(() => void check(), options.checkEveryMs ?? tenMinutes);
  timer.unref();
  void check();

  return {
    page({ limit, cursor, label, search }) {
      const values: Value[] = [];
      let last: Entry | null = null;
      for (const entry of order.after(cursor === undefined ? null : decodeCursor(cursor))) {
        if (label !== undefined && entry.label !== label) continue;
        if (search?.pattern.test(entry.packed) === false) continue;
        const value = truth.unpack(entry);
        if (search?.confirm(value) === false) continue;
        // One more than asked for tells that there is another page.
        if (values.length === limit) return { values, nextCursor: last === null ? null : encodeCursor(last) };
        values.push(value);
        last = entry;
      }
      return { values, nextCursor: null };
    },
    refresh: async (name) => void (await lookInTurn(name)),
    isComplete: () => isComplete,
    settled: async () => {
      await checking;
      await replacing;
    },
    check,
    async close() {
      isClosed = true;
      clearInterval(timer);
      watcher?.close();
      await checking;
      await replacing;
      await Promise.all(looking.values());
      await files.flush();
    },
  };
}

/** One watch on the folder tells of what comes and goes in it; watching 100,000 files would use up the machine's watches. */
function watchNames<Value>(truth: Truth<Value>, onName: (name: string) => void, onProblem: (error: unknown) => void): FSWatcher | null {
  try {
    const watcher = watch(truth.folder, { persistent: false }, (_kind, name) => {
      if (name !== null && truth.isName(name)) onName(name);
    });
    watcher.on("error", onProblem);
    return watcher;
  } catch (error) {
    // Without a watch the regular check still finds everything, only later.
    onProblem(error);
    return null;
  }
}
