import type { Entry, Position } from "./entry.ts";
import { createSortedBlocks } from "./sorted-blocks.ts";
import type { Wanted } from "./sorted-blocks.ts";

export type EntryOrder = {
  get(name: string): Entry | undefined;
  put(entry: Entry): void;
  remove(name: string): boolean;
  size(): number;
  /** How many entries have each label. */
  counts(): ReadonlyMap<string, number>;
  names(): IterableIterator<string>;
  /** The order must not change while this is consumed. */
  after(position: Position | null, wanted: Wanted): Generator<Entry>;
  all(): readonly Entry[];
  /** Makes a first search as fast as the next, step by step. */
  prepare(): Generator<void>;
};

/**
 * A map of entries that is sorted at every moment. `byName` is its own from now on; `onMoved` is told where an entry stood
 * that stands there no longer.
 */
export function createEntryOrder(byName = new Map<string, Entry>(), onMoved: (from: Position) => void = () => undefined): EntryOrder {
  const sorted = createSortedBlocks(byName.values());
  const counts = new Map<string, number>();
  const count = ({ label }: Entry, step: 1 | -1): void => void counts.set(label, (counts.get(label) ?? 0) + step);
  for (const entry of byName.values()) count(entry, 1);

  function remove(name: string): boolean {
    const known = byName.get(name);
    if (known === undefined) return false;
    byName.delete(name);
    count(known, -1);
    sorted.remove(known);
    onMoved({ rank: known.rank, name });
    return true;
  }

  return {
    get: (name) => byName.get(name),
    put(entry) {
      const known = byName.get(entry.name);
      const stays = known?.rank === entry.rank;
      if (!stays) remove(entry.name);
      else count(known, -1);
      byName.set(entry.name, entry);
      count(entry, 1);
      if (stays) sorted.replace(entry);
      else sorted.insert(entry);
    },
    remove,
    size: () => byName.size,
    counts: () => counts,
    names: () => byName.keys(),
    after: sorted.after,
    all: sorted.all,
    prepare: sorted.prepare,
  };
}
