import type { MessageId, SessionId } from "../../schema/ids.ts";
import type { ProgressStore } from "./progress-store.ts";
import { createQueryLog, queryOfEventId } from "./query-log.ts";
import type { LoggedEvent, QueryLog } from "./query-log.ts";

type Deps = { progress: ProgressStore; onProblem: (error: unknown) => void };

/** How many sessions keep the log of their last query, newest first. */
const mostLogs = 200;

/** How many logs are kept of queries after which another one has begun. */
const mostEarlier = 200;

/** The running query of each session and, for a while, those before it: a client that lost its stream gets the tail. */
export function createQueryLogs({ progress, onProblem }: Deps) {
  const logs = new Map<SessionId, QueryLog>();
  const earlier = new Map<string, { id: SessionId; log: QueryLog }>();

  function forget(id: SessionId): void {
    const log = logs.get(id);
    logs.delete(id);
    if (log !== undefined) drop(log);
    for (const each of earlier.values()) if (each.id === id) dropEarlier(each.log);
  }

  /** Those who still read it are not cut off. */
  function drop(log: QueryLog): void {
    log
      .unread()
      .then(() => progress.remove(log.messageId))
      .catch(onProblem);
  }

  function dropEarlier(log: QueryLog): void {
    earlier.delete(log.messageId);
    drop(log);
  }

  function setAside(id: SessionId, log: QueryLog): void {
    earlier.set(log.messageId, { id, log });
    for (const { log: oldest } of earlier.values()) if (earlier.size > mostEarlier) dropEarlier(oldest);
  }

  function forgetOldest(): void {
    for (const [id, log] of logs) {
      if (logs.size <= mostLogs) return;
      if (log.isClosed()) forget(id);
    }
  }

  return {
    get: (id: SessionId): QueryLog | undefined => logs.get(id),
    isOpen: (id: SessionId): boolean => logs.get(id)?.isClosed() === false,

    /** The log of this query, which from now on is the session's. */
    of(id: SessionId, query: MessageId): QueryLog {
      const known = logs.get(id);
      if (known?.messageId === query && !known.isClosed()) return known;
      const before = earlier.get(query)?.log;
      earlier.delete(query);
      // One that failed to begin left no progress, and the next try has the same file.
      if (known !== undefined && known.messageId !== query) setAside(id, known);
      // One that waits may have been passed by a message that was refused: those who watch it watch this log.
      const log = before?.isClosed() === false ? before : createQueryLog(query, { progress: progress.open(query), onProblem });
      logs.set(id, log);
      forgetOldest();
      return log;
    },

    forget,

    /** Null where there is nothing to watch: no query runs, and the client did not lose the stream of one that is still known. */
    watch(id: SessionId, lastEventId: string | undefined): AsyncIterable<LoggedEvent> | null {
      const lost = lastEventId === undefined ? null : queryOfEventId(lastEventId);
      const before = lost === null ? undefined : earlier.get(lost);
      if (before?.id === id) return before.log.read(lastEventId);
      const log = logs.get(id);
      if (log === undefined) return null;
      return log.isClosed() && lost !== log.messageId ? null : log.read(lastEventId);
    },

    closeAll(): void {
      for (const log of logs.values()) log.close();
    },
  };
}
