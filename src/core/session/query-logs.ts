import type { MessageId, SessionId } from "../../schema/ids.ts";
import type { ProgressStore } from "./progress-store.ts";
import { createQueryLog, queryOfEventId } from "./query-log.ts";
import type { LoggedEvent, QueryLog } from "./query-log.ts";

type Deps = { progress: ProgressStore; onProblem: (error: unknown) => void };

/** How many sessions keep the log of their last query, newest first. */
const mostLogs = 200;

/** The running query of each session and, for a while, its last: a client that lost its stream gets the tail. */
export function createQueryLogs({ progress, onProblem }: Deps) {
  const logs = new Map<SessionId, QueryLog>();

  function forget(id: SessionId): void {
    const log = logs.get(id);
    logs.delete(id);
    log
      ?.unread()
      .then(() => progress.remove(log.messageId))
      .catch(onProblem);
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
      // One that failed to begin left no progress, and the next try has the same file.
      if (known?.messageId !== query) forget(id);
      const log = createQueryLog(query, { progress: progress.open(query), onProblem });
      logs.set(id, log);
      forgetOldest();
      return log;
    },

    forget,

    /** Null where there is nothing to watch: no query runs, and the client did not lose the stream of the last one. */
    watch(id: SessionId, lastEventId: string | undefined): AsyncIterable<LoggedEvent> | null {
      const log = logs.get(id);
      if (log === undefined) return null;
      const isItsTail = lastEventId !== undefined && queryOfEventId(lastEventId) === log.messageId;
      return log.isClosed() && !isItsTail ? null : log.read(lastEventId);
    },

    closeAll(): void {
      for (const log of logs.values()) log.close();
    },
  };
}
