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
  /** What lists are searched in, folded. */
  text: string;
  packed: string;
};

/** A place in the order, which stays meaningful when the entry that stood there is gone. */
export type Position = { rank: string; name: string };

/** Highest rank first; names break ties, so that the order is total. Plain comparison: ranks are ids and ISO times. */
export function comparePositions(a: Position, b: Position): number {
  if (a.rank !== b.rank) return a.rank > b.rank ? -1 : 1;
  if (a.name !== b.name) return a.name > b.name ? -1 : 1;
  return 0;
}
