/**
 * What an index knows of one truth file. Entries are never changed in place, so a list of them is a picture of one moment.
 * The value is kept as one short text and unpacked when somebody looks at it: 100,000 objects would weigh twice as much.
 */
export type Entry = {
  name: string;
  /** Change time, size and inode of the truth file: another stamp means that content or access may have changed. */
  stamp: string;
  /** Larger comes first. */
  rank: string;
  /** What lists are filtered by. */
  label: string;
  packed: string;
};

export type EntryOrder = {
  get(name: string): Entry | undefined;
  put(entry: Entry): void;
  remove(name: string): boolean;
  size(): number;
  names(): IterableIterator<string>;
  /** Entries in order, from the start or after a position. The order must not change while this is consumed. */
  after(position: Position | null): Generator<Entry>;
  all(): readonly Entry[];
};

/** A place in the order, which stays meaningful when the entry that stood there is gone. */
export type Position = { rank: string; name: string };

/**
 * A map of entries that is sorted at every moment: a page costs its own length, a change one search and one move. `byName`
 * is its own from now on; `onMoved` is told where an entry stood that stands there no longer.
 */
export function createEntryOrder(byName = new Map<string, Entry>(), onMoved: (from: Position) => void = () => undefined): EntryOrder {
  const sorted = [...byName.values()].sort(comparePositions);

  /** The first index whose entry does not come before the position. */
  function search(position: Position): number {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = sorted[middle];
      if (entry !== undefined && comparePositions(entry, position) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function remove(name: string): boolean {
    const known = byName.get(name);
    if (known === undefined) return false;
    byName.delete(name);
    sorted.splice(search(known), 1);
    onMoved({ rank: known.rank, name });
    return true;
  }

  return {
    get: (name) => byName.get(name),
    put(entry) {
      const known = byName.get(entry.name);
      if (known?.rank === entry.rank) {
        byName.set(entry.name, entry);
        sorted[search(entry)] = entry;
        return;
      }
      remove(entry.name);
      byName.set(entry.name, entry);
      sorted.splice(search(entry), 0, entry);
    },
    remove,
    size: () => sorted.length,
    names: () => byName.keys(),
    *after(position) {
      const start = position === null ? 0 : search(position);
      for (let at = start; at < sorted.length; at += 1) {
        const entry = sorted[at];
        if (entry === undefined || (position !== null && comparePositions(entry, position) === 0)) continue;
        yield entry;
      }
    },
    all: () => sorted.slice(),
  };
}

/** Highest rank first; names break ties, so that the order is total. Plain comparison: ranks are ids and ISO times. */
export function comparePositions(a: Position, b: Position): number {
  if (a.rank !== b.rank) return a.rank > b.rank ? -1 : 1;
  if (a.name !== b.name) return a.name > b.name ? -1 : 1;
  return 0;
}
