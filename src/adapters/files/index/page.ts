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
  /** Any of them. */
  labels?: readonly string[] | undefined;
  search?: string | undefined;
  /** Names that what is searched for was found under elsewhere. */
  also?: { has(name: string): boolean; keys(): Iterable<string> } | undefined;
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
  const wanted: Wanted = { labels: query.labels ?? null, words: wordsOf(query.search ?? "") };

  const found: Found[] = [];
  const isLeft = (at: Position): boolean => after === null || comparePositions(at, after) > 0;
  const isWanted = (entry: Entry): boolean => query.where?.(entry) !== false;
  for (const entry of order.after(after, wanted)) {
    if (!moved.has(entry.name) && isMatch(entry, wanted) && isWanted(entry)) found.push({ at: entry, entry });
    // One more than asked for tells that there is another page.
    if (found.length > query.limit) break;
  }
  for (const name of query.also?.keys() ?? []) {
    const entry = order.get(name);
    if (entry === undefined || moved.has(name) || !isLeft(entry) || isMatch(entry, wanted)) continue;
    if (hasLabel(entry, wanted) && isWanted(entry)) found.push({ at: entry, entry });
  }
  for (const [name, at] of moved) {
    const entry = order.get(name);
    if (entry === undefined || !isLeft(at) || !isWanted(entry)) continue;
    if (isMatch(entry, wanted) || (hasLabel(entry, wanted) && query.also?.has(name) === true)) found.push({ at, entry });
  }
  if (moved.size > 0 || query.also !== undefined) found.sort((a, b) => comparePositions(a.at, b.at));

  const last = found[query.limit - 1];
  const hasMore = found.length > query.limit && last !== undefined;
  return {
    values: found.slice(0, query.limit).map(({ entry }) => unpack(entry)),
    nextCursor: hasMore ? encodeCursor({ after: { rank: last.at.rank, name: last.at.name }, began }) : null,
  };
}

const hasLabel = ({ label }: Entry, wanted: Wanted): boolean => wanted.labels === null || wanted.labels.includes(label);

const isMatch = (entry: Entry, wanted: Wanted): boolean =>
  hasLabel(entry, wanted) && wanted.words.every((word) => entry.text.includes(word));
