import type { SessionId } from "../../schema/ids.ts";

/** The port to the context files of sessions, which people edit with whatever they like while the hall runs. */
export interface ContextStore {
  /** What is on the disk at this moment. Rejects with a sentence for what is no text, too large, or no plain file. */
  read(id: SessionId): Promise<ContextFile>;
  /**
   * Replaces the file, durable before it resolves, where it still is what `ifMatch` says; `*` is anything that is there.
   * Without `ifMatch` it only makes a file where there is none. Otherwise it rejects with `precondition_failed`, whose
   * details are the `text` and `etag` that are there. Writes of one session happen one after the other.
   */
  write(id: SessionId, text: string, options?: { ifMatch?: string | undefined }): Promise<{ etag: string }>;
}

/** A file that is not there reads like an empty one. */
export type ContextFile = {
  text: string;
  /** Names exactly this content. */
  etag: string;
};
