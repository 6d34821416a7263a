import type { RunId } from "../../schema/ids.ts";
import type { ProgressStore } from "./progress-store.ts";
import { createRunLog, runOfEventId } from "./run-log.ts";
import type { Logged, RunLog, RunLogDeps, StreamEvent } from "./run-log.ts";

export type RunLogsDeps<Event extends StreamEvent> = { progress: ProgressStore } & Pick<RunLogDeps<Event>, "parse" | "onProblem">;

/** How many owners keep the log of their last run, newest first. */
const mostLogs = 200;

/** How many logs are kept of runs after which another one has begun. */
const mostEarlier = 200;

/** The present run of each owner and, for a while, those before it: a client that lost its stream gets the tail. */
export function createRunLogs<OwnerId extends string, Event extends StreamEvent>({ progress, parse, onProblem }: RunLogsDeps<Event>) {
  const logs = new Map<OwnerId, RunLog<Event>>();
  const earlier = new Map<string, { id: OwnerId; log: RunLog<Event> }>();

  function forget(id: OwnerId): void {
    const log = logs.get(id);
    logs.delete(id);
    if (log !== undefined) drop(log);
    for (const each of earlier.values()) if (each.id === id) dropEarlier(each.log);
  }

  /** Its readers are not cut off. */
  function drop(log: RunLog<Event>): void {
    log
      .unread()
      .then(() => progress.remove(log.runId))
      .catch(onProblem);
  }

  function dropEarlier(log: RunLog<Event>): void {
    earlier.delete(log.runId);
    drop(log);
  }

  function setAside(id: OwnerId, log: RunLog<Event>): void {
    earlier.set(log.runId, { id, log });
    for (const { log: oldest } of earlier.values()) if (earlier.size > mostEarlier) dropEarlier(oldest);
  }

  function forgetOldest(): void {
    for (const [id, log] of logs) {
      if (logs.size <= mostLogs) return;
      if (log.isClosed()) forget(id);
    }
  }

  function known(run: RunId): { id: OwnerId; log: RunLog<Event> } | undefined {
    const [present] = [...logs].flatMap(([id, log]) => (log.runId === run ? [{ id, log }] : []));
    return present ?? earlier.get(run);
  }

  return {
    get: (id: OwnerId): RunLog<Event> | undefined => logs.get(id),
    owners: (): OwnerId[] => [...logs].flatMap(([id, log]) => (log.isClosed() ? [] : [id])),
    isOpen: (id: OwnerId): boolean => logs.get(id)?.isClosed() === false,

    /** The log of this run, which from now on is the present one of its owner. */
    of(id: OwnerId, run: RunId): RunLog<Event> {
      const known = logs.get(id);
      if (known?.runId === run && !known.isClosed()) return known;
      const before = earlier.get(run)?.log;
      earlier.delete(run);
      // If the known run failed to begin it left no progress, and the next try has the same file.
      if (known !== undefined && known.runId !== run) setAside(id, known);
      // A run that waits may have been passed by another that was refused: its readers keep this log.
      const log = before?.isClosed() === false ? before : createRunLog(run, { progress: progress.open(run), parse, onProblem });
      logs.set(id, log);
      forgetOldest();
      return log;
    },

    forget,

    /** Null if there is nothing to watch: nothing runs, and the client did not lose the stream of a run that is still known. */
    watch(id: OwnerId, lastEventId: string | undefined): AsyncIterable<Logged<Event>> | null {
      const lost = lastEventId === undefined ? null : runOfEventId(lastEventId);
      const before = lost === null ? undefined : earlier.get(lost);
      if (before?.id === id) return before.log.read(lastEventId);
      const log = logs.get(id);
      if (log === undefined) return null;
      return log.isClosed() && lost !== log.runId ? null : log.read(lastEventId);
    },

    /** The log of a run, if it is still known. */
    logOf: (run: RunId): RunLog<Event> | undefined => known(run)?.log,
    ownerOf: (run: RunId): OwnerId | null => known(run)?.id ?? null,

    closeAll(): void {
      for (const log of logs.values()) log.close();
    },
  };
}
