import type { MessageId } from "../../schema/ids.ts";

/**
 * The port to what running queries have said so far. It is written before anybody sees it, but not flushed: it survives the
 * end of the hall, not that of the machine. Lines are text without a line break.
 */
export interface ProgressStore {
  /** For a query that begins. */
  open(query: MessageId): ProgressFile;
  /** What an earlier life of the hall wrote; nothing where it wrote nothing. Rejects with `file_broken` if it is too large to read. */
  readLeft(query: MessageId): Promise<string[]>;
  remove(query: MessageId): Promise<void>;
  /** Removes what belongs to no query that is still to be settled. */
  keepOnly(queries: readonly MessageId[]): Promise<void>;
}

export type ProgressFile = {
  /** All or none, one call at a time. */
  append(lines: readonly string[]): Promise<void>;
  /** Lines from a position on, at most so many. */
  read(from: number, most: number): Promise<string[]>;
  /** Nothing more is appended; reading goes on. */
  seal(): Promise<void>;
};
