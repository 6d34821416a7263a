import type { RunId } from "../../schema/ids.ts";

/**
 * The port to what runs have said so far. It is written before it is shown, but not flushed: it survives the
 * end of the hall, not that of the machine. Lines are text without a line break.
 */
export interface ProgressStore {
  /** For a run that begins. */
  open(run: RunId): ProgressFile;
  /** The lines that an earlier life of the hall wrote. Rejects with `file_broken` if it is too large to read. */
  readLeft(run: RunId): Promise<string[]>;
  remove(run: RunId): Promise<void>;
  /** Removes the progress of every other run. */
  keepOnly(runs: readonly RunId[]): Promise<void>;
}

export type ProgressFile = {
  /** All or none, one call at a time. */
  append(lines: readonly string[]): Promise<void>;
  /** Lines from a position on, at most so many. */
  read(from: number, most: number): Promise<string[]>;
  /** Nothing more is appended; reading goes on. */
  seal(): Promise<void>;
};
