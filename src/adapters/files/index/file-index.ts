import { inBatches } from "../in-batches.ts";
import { createEntryOrder } from "./entry-order.ts";
import type { EntryOrder } from "./entry-order.ts";
import type { Entry } from "./entry.ts";
import { fold } from "./fold.ts";
import { createIndexFiles } from "./index-files.ts";
import type { Change } from "./index-files.ts";
import { createMoves } from "./moves.ts";
import { readPage } from "./page.ts";
import type { Page, PageQuery } from "./page.ts";
import { listFolder, stampOf } from "./truth.ts";
import type { Truth } from "./truth.ts";
import { createWatches } from "./watches.ts";

export type FileIndex<Value> = {
  page(query: PageQuery): Page<Value>;
  /** How many there are of each label; null while a rebuild is still finding files: what is listed is true then, but not yet everything. */
  counts(): ReadonlyMap<string, number> | null;
  /** Does what changes one file, then looks at it. What the hall itself does is not told as found. */
  change<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Looks at one file again because somebody asked for it, and from now on notices its changes at once. */
  lookAt(name: string): Promise<void>;
  /** Resolves when the look at every file that began last is over. */
  settled(): Promise<void>;
  /** Looks at every file now. */
  check(): Promise<void>;
  close(): Promise<void>;
};

export type FileIndexOptions<Value> = {
  /** Where snapshot and journal lie; everything in it may be deleted at any time. */
  folder: string;
  kind: string;
  truth: Truth<Value>;
  /** Told of what changed behind the hall's back; null where it is gone. */
  onFound?: (name: string, value: Value | null) => void;
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
  const files = createIndexFiles(options.folder, options.kind, truth.packing);
  const remembered = await files.load();
  const moves = createMoves();
  const order: EntryOrder = createEntryOrder(remembered ?? undefined, moves.note);
  const ours = new Set<string>();
  let isComplete = remembered !== null;
  let isClosed = false;
  let checking: Promise<void> | null = null;
  let replacing: Promise<void> | null = null;
  /** Looks at one file follow each other, or an old content could be taken for the newer one. */
  const looking = new Map<string, Promise<void>>();

  async function look(name: string): Promise<News<Value> | null> {
    const stamp = await stampOf(truth, name);
    const known = order.get(name);
    if (stamp === (known?.stamp ?? null)) return null;
    if (stamp === null) {
      order.remove(name);
      watches.forget(name);
      record({ remove: name });
      return { value: null };
    }
    const value = await truth.read(name);
    const entry = entryOf(name, stamp, value, truth);
    order.put(entry);
    record({ put: entry });
    return known?.packed === entry.packed && known.rank === entry.rank && known.label === entry.label ? null : { value };
  }

  /** Until there is a snapshot, a journal would be a journal of nothing; the snapshot that ends a rebuild holds it all. */
  function record(change: Change): void {
    if (!isComplete) return;
    files.append(change);
    shorten();
  }

  function lookInTurn(name: string): Promise<News<Value> | null> {
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
    const listed = new Set(await listFolder(truth));
    let found = 0;
    const lookAgain = async (name: string): Promise<void> => {
      if (isClosed || (await stampOf(truth, name)) === (order.get(name)?.stamp ?? null)) return;
      // One that cannot be looked at keeps its last entry and does not keep the others from being found.
      const news = await lookInTurn(name).catch((error: unknown) => {
        onProblem(error);
        return null;
      });
      if (news === null) return;
      found += 1;
      if (isComplete) onFound(name, news.value);
    };
    await inBatches(listed, batchSize, async (name) => {
      if (order.get(name) !== undefined || truth.isName(name)) await lookAgain(name);
    });
    const unlisted = [...order.names()].filter((name) => !listed.has(name));
    await inBatches(unlisted, batchSize, lookAgain);
    await inBatches(order.prepare(), 1, async () => undefined);
    if (isClosed) return;
    const isWorthKeeping = !isComplete || found > journalLines;
    isComplete = true;
    if (isWorthKeeping || !(await files.hasSnapshot())) await files.replace(order.all);
  }

  function check(): Promise<void> {
    checking ??= checkAll()
      .catch(onProblem)
      .finally(() => (checking = null));
    return checking;
  }

  async function noticed(name: string): Promise<void> {
    if (ours.has(name)) return;
    const news = await lookInTurn(name);
    if (news !== null) onFound(name, news.value);
  }

  const watches = createWatches(truth, (name) => void noticed(name).catch(onProblem), onProblem);
  const timer = setInterval(() => void check(), options.checkEveryMs ?? tenMinutes);
  timer.unref();
  void check();

  return {
    page: (query) => readPage({ order, moves, unpack: truth.unpack }, query),
    counts: () => (isComplete ? order.counts() : null),
    async change(name, work) {
      ours.add(name);
      try {
        return await work();
      } finally {
        ours.delete(name);
        // The file is the truth and it is written; a list that cannot follow at once follows later.
        await lookInTurn(name).catch(onProblem);
      }
    },
    async lookAt(name) {
      watches.lookAt(name);
      await noticed(name);
    },
    settled: async () => {
      await checking;
      await replacing;
    },
    check,
    async close() {
      isClosed = true;
      clearInterval(timer);
      watches.close();
      await checking;
      await replacing;
      await Promise.all(looking.values());
      await files.flush();
    },
  };
}

function entryOf<Value>(name: string, stamp: string, value: Value, truth: Truth<Value>): Entry {
  return {
    name,
    stamp,
    rank: truth.rankOf(value),
    label: truth.labelOf(value),
    text: fold(truth.textOf(value)),
    packed: truth.pack(value),
  };
}

/** What a look found out: another value, or that there is none any more. */
type News<Value> = { value: Value | null };
