import { comparePositions } from "./entry.ts";
import type { Entry, Position } from "./entry.ts";

/** What a reader is after: any of the labels, or whatever the label where there are none; `words` are folded as texts are, and an entry must hold all of them. */
export type Wanted = { labels: readonly string[] | null; words: readonly string[] };

export type SortedBlocks = {
  insert(entry: Entry): void;
  /** Puts an entry in the place of the one at the same position. */
  replace(entry: Entry): void;
  remove(position: Position): void;
  /** Entries in order, from the start or after a position: all that are wanted, and some that are not. */
  after(position: Position | null, wanted: Wanted): Generator<Entry>;
  all(): Entry[];
  /** Makes a first search as fast as the next, block by block. */
  prepare(): Generator<void>;
};

/** A run of entries, and for each label the texts of those that have it, made when somebody first looks for something. */
type Block = { entries: Entry[]; texts: ReadonlyMap<string, string> | null };

const blockSize = 256;

/**
 * Sorted entries in blocks: a change moves a few hundred entries and not 100,000, and a search passes over a block with
 * one look at the texts of all its entries, so what is rare is found as fast as what is common.
 */
export function createSortedBlocks(initial: Iterable<Entry>): SortedBlocks {
  const sorted = [...initial].sort(comparePositions);
  const blocks: Block[] = [];
  for (let start = 0; start < sorted.length; start += blockSize) blocks.push(blockOf(sorted.slice(start, start + blockSize)));
  if (blocks.length === 0) blocks.push(blockOf([]));

  /** The block a position lies in, and the place there: that of the first entry which does not come before it. */
  function placeOf(position: Position): { at: number; block: Block; index: number } {
    const found = firstNotBefore(blocks.length, (at) => isBefore(blocks[at]?.entries.at(-1), position));
    const at = Math.min(found, blocks.length - 1);
    const block = blocks[at] ?? blockOf([]);
    return { at, block, index: firstNotBefore(block.entries.length, (index) => isBefore(block.entries[index], position)) };
  }

  return {
    insert(entry) {
      const { at, block, index } = placeOf(entry);
      block.entries.splice(index, 0, entry);
      block.texts = null;
      if (block.entries.length > 2 * blockSize) blocks.splice(at + 1, 0, blockOf(block.entries.splice(blockSize)));
    },
    replace(entry) {
      const { block, index } = placeOf(entry);
      block.entries[index] = entry;
      block.texts = null;
    },
    remove(position) {
      const { at, block, index } = placeOf(position);
      block.entries.splice(index, 1);
      block.texts = null;
      if (block.entries.length === 0 && blocks.length > 1) blocks.splice(at, 1);
    },
    *after(position, wanted) {
      const start = position === null ? null : placeOf(position);
      for (const block of blocks.slice(start?.at ?? 0)) {
        if (!mayHold(block, wanted)) continue;
        for (const entry of block.entries) if (position === null || comparePositions(entry, position) > 0) yield entry;
      }
    },
    all: () => blocks.flatMap(({ entries }) => entries),
    *prepare() {
      for (const block of blocks) yield void (block.texts ??= textsOf(block.entries));
    },
  };
}

const blockOf = (entries: Entry[]): Block => ({ entries, texts: null });

const isBefore = (entry: Entry | undefined, position: Position): boolean => entry !== undefined && comparePositions(entry, position) < 0;

/** By halves; what comes before is all at the start. */
function firstNotBefore(length: number, comesBefore: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comesBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function mayHold(block: Block, { labels, words }: Wanted): boolean {
  if (labels === null && words.length === 0) return true;
  block.texts ??= textsOf(block.entries);
  const holds = (text: string | undefined): boolean => text !== undefined && words.every((word) => text.includes(word));
  if (labels === null) return block.texts.values().some(holds);
  const { texts } = block;
  return labels.some((label) => holds(texts.get(label)));
}

function textsOf(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const byLabel = Map.groupBy(entries, ({ label }) => label);
  // No word holds a line break, so none is found across the end of a text.
  return new Map(byLabel.entries().map(([label, group]) => [label, group.map(({ text }) => text).join("\n")]));
}
