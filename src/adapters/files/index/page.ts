import { decodeCursor, encodeCursor } from "./cursor.ts";
import type { EntryOrder } from "./entry-order.ts";
import { comparePositions } from "./entry.ts";
import type { Entry, Position } from "./entry.ts";
import { wordsOf } from "./fold.ts";
import type { Moves } from "./moves.ts";
import type { Wanted } from "./sorted-blocks.ts";

export type PageQuery = {
  limit: number;
  cursor?: string | undefined;
  label?: string | undefined;
  search?: string | undefined;
  /** Asked for each entry that fits the rest. */
  where?: ((entry: Entry) => boolean) | undefined;
};

export type Page<Value> = { values: Value[]; nextCursor: string | null };

type Listed<Value> = { order: EntryOrder; moves: Moves; unpack: (entry: Entry) => Value };

/** An entry and its place for this reader: where it stood when the reading began, wherever it is now. */
type Found = { at: Position; entry: Entry };

/** The next values for one reader. What moved since the reading began is met where it stood then, neither twice nor never. */
export function readPage<Value>({ order, moves, unpack }: Listed<Value>, query: PageQuery): Page<Value> {
  const bookmark = query.cursor === undefined ? null : decodeCursor(query.cursor);
  const began = bookmark?.began ?? moves.now();
  const after = bookmark?.after ?? null;
  const moved = moves.since(began);
  const wanted: Wanted = { label: query.label ?? null, words: wordsOf(query.search ?? "") };

  const found: Found[] = [];
  const take = (entry: Entry, at: Position): void => {
    if (isMatch(entry, wanted) && query.where?.(entry) !== false) found.push({ at, entry });
  };
  for (const entry of order.after(after, wanted)) {
    if (!moved.has(entry.name)) take(entry, entry);
    // One more than asked for tells that there is another page.
    if (found.length > query.limit) break;
  }
  for (const [name, at] of moved) {
    const entry = order.get(name);
    if (entry !== undefined && (after === null || comparePositions(at, after) > 0)) take(entry, at);
  }
  if (moved.size > 0) found.sort((a, b) => comparePositions(a.at, b.at));

  const last = found[query.limit - 1];
  const hasMore = found.length > query.limit && last !== undefined;
  return {
    values: found.slice(0, query.limit).map(({ entry }) => unpack(entry)),
    nextCursor: hasMore ? encodeCursor({ after: { rank: last.at.rank, name: last.at.name }, began }) : null,
  };
}

const isMatch = ({ label, text }: Entry, wanted: Wanted): boolean =>
  (wanted.label === null || label === wanted.label) && wanted.words.every((word) => text.includes(word));
