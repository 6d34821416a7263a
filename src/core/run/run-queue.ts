import type { HallError } from "../../schema/hall-error.ts";
import type { RunId } from "../../schema/ids.ts";
import type { WaitingFor } from "../../schema/run.ts";
import type { WorkEvent } from "../../schema/run-event.ts";
import type { Consumer, EngineJob, JobEngine, Lease } from "../engine/job-engine.ts";
import { isPassing } from "../passing-failure.ts";
import type { RunLog, StreamEvent } from "./run-log.ts";
import { createRunLogs } from "./run-logs.ts";
import type { RunLogsDeps } from "./run-logs.ts";
import type { Slot, Slots } from "./slots.ts";
import type { WaitsShown } from "./waits.ts";

/** The runs of one owner go one after the other. */
export type QueuedRun<OwnerId> = { id: RunId; owner: OwnerId };

export type Carried<Event extends StreamEvent> = {
  log: RunLog<Event | WorkEvent>;
  signal: AbortSignal;
  slot: Slot;
  shown: WaitsShown;
};

export type RunQueueDeps<OwnerId extends string, Run extends QueuedRun<OwnerId>, Event extends StreamEvent> = RunLogsDeps<
  Event | WorkEvent
> & {
  engine: JobEngine;
  /** The kind of the engine's jobs. */
  kind: string;
  slots: Slots;
  /** The form in which the engine keeps a run. `read` throws for anything else. */
  payload: { of: (run: Run) => unknown; read: (payload: unknown) => Run };
  /** Makes an accepted run known to its owner. Called once, before the run begins. */
  begin: (run: Run, log: RunLog<Event | WorkEvent>) => Promise<void>;
  /** Plays a run and records its end. Returns the failure it ended with; throws if the end could not be recorded. */
  carryOut: (run: Run, carried: Carried<Event>) => Promise<HallError | null>;
  /** Records the end of a run that was stopped before its turn. */
  endUnbegun: (run: Run, log: RunLog<Event | WorkEvent>) => Promise<void>;
  /** Records the end of a run that a crash interrupted. May be called again for the same run. */
  settle: (run: Run) => Promise<void>;
  /** Called when a run begins to wait, waits for something else, or goes on. */
  onWaitingChanged: (run: Run) => void;
  now: () => string;
};

/**
 * Runs that are jobs of the engine. Each is durable when it is accepted, waits for its owner's other runs and then for a
 * slot, and can be watched from its acceptance on. A run that waits for its slot has not begun, and survives a crash.
 */
export function createRunQueue<OwnerId extends string, Run extends QueuedRun<OwnerId>, Event extends StreamEvent>(
  deps: RunQueueDeps<OwnerId, Run, Event>,
) {
  const { engine, kind, slots } = deps;
  const logs = createRunLogs<OwnerId, Event | WorkEvent>(deps);
  const slotOf = new Map<RunId, Slot>();
  const waitingFor = new Map<RunId, WaitingFor>();
  /** Runs whose acceptance failed when the engine had them already. Their sender was told so. */
  const refused = new Map<RunId, unknown>();
  /** Acceptances under way. */
  const accepting = new Map<RunId, Promise<void>>();
  const ended: RunId[] = [];
  let consumer: Consumer | null = null;
  let isClosing = false;

  const begin = (run: Run, log: RunLog<Event | WorkEvent>): Promise<void> => log.begin(() => deps.begin(run, log));

  /** If an earlier try failed before the run began, its record gives way. */
  async function submit(run: Run): Promise<void> {
    const job = { id: run.id, kind, lane: run.owner, payload: deps.payload.of(run) };
    if ((await engine.submit(job)).endedAt === null) return;
    await engine.remove(job.id);
    await engine.submit(job);
  }

  function shownOf(run: Run): WaitsShown {
    const log = logs.of(run.owner, run.id);
    return {
      now: deps.now,
      onWaiting(what) {
        waitingFor.set(run.id, what);
        log.append({ event: "waiting", data: { waitingFor: what } });
        deps.onWaitingChanged(run);
      },
      onResumed() {
        waitingFor.delete(run.id);
        log.append({ event: "resumed", data: {} });
        deps.onWaitingChanged(run);
      },
    };
  }

  async function admit({ payload }: EngineJob, signal: AbortSignal): Promise<() => void> {
    const run = deps.payload.read(payload);
    const slot = slots.of(run.owner);
    const shown = shownOf(run);
    await slot.take(signal, () => shown.onWaiting({ kind: "slot", since: deps.now() }));
    if (waitingFor.has(run.id)) shown.onResumed();
    slotOf.set(run.id, slot);
    return () => {
      slot.give();
      slotOf.delete(run.id);
    };
  }

  async function carryOut({ job, signal }: Lease): Promise<void> {
    const run = deps.payload.read(job.payload);
    const log = logs.of(run.owner, run.id);
    const slot = slotOf.get(run.id) ?? slots.of(run.owner);
    try {
      const failure = await deps.carryOut(run, { log, signal, slot, shown: shownOf(run) });
      ended.push(run.id);
      // The engine's record tells the same story as the owner's.
      if (failure !== null) throw failure;
    } finally {
      waitingFor.delete(run.id);
      // Readers must not wait for a run that is over, whatever went wrong.
      log.close();
    }
  }

  async function settle({ payload, state, attempt }: EngineJob): Promise<void> {
    const run = readable(payload);
    if (run === null) return;
    if (state !== "cancelled" || attempt > 0) return deps.settle(run);
    // Making it known must not come after its end.
    await accepting.get(run.id)?.catch(() => undefined);
    // Its sender was told, and there is nothing to end.
    if (refused.has(run.id)) return;
    const log = logs.of(run.owner, run.id);
    await begin(run, log).catch(allowLasting);
    await deps.endUnbegun(run, log);
    waitingFor.delete(run.id);
    log.close();
  }

  function readable(payload: unknown): Run | null {
    try {
      return deps.payload.read(payload);
    } catch (error) {
      deps.onProblem(error);
      return null;
    }
  }

  return {
    /** Settles the runs of an earlier life, then takes new ones. Returns all that it found. */
    async start(): Promise<Run[]> {
      const open = await engine.listOpen(kind);
      const found = open.flatMap(({ attempt, payload }) => {
        const run = readable(payload);
        return run === null ? [] : [{ run, hasBegun: attempt > 0 }];
      });
      await deps.progress.keepOnly(found.map(({ run }) => run.id)).catch(deps.onProblem);
      // A run that waits for its turn can be watched and stopped like any other.
      for (const { run, hasBegun } of found) if (!hasBegun) await begin(run, logs.of(run.owner, run.id)).catch(deps.onProblem);
      consumer = await engine.consume(kind, { capacity: null, attempts: 1, admit }, carryOut, settle);
      return found.map(({ run }) => run);
    },

    async close(): Promise<{ interrupted: number }> {
      isClosing = true;
      slots.close();
      const stopped = (await consumer?.stop()) ?? { interrupted: 0 };
      logs.closeAll();
      return stopped;
    },

    isClosing: (): boolean => isClosing,
    isOpen: logs.isOpen,
    /** What the present run of an owner waits for. */
    waitingFor(owner: OwnerId): WaitingFor | null {
      const log = logs.get(owner);
      return log === undefined ? null : (waitingFor.get(log.runId) ?? null);
    },
    /** The present run of an owner, if it has not ended. */
    present(owner: OwnerId): RunId | null {
      const log = logs.get(owner);
      return log === undefined || log.isClosed() ? null : log.runId;
    },
    /** All owners that have a run which has not ended. */
    owners: logs.owners,
    /** Whether the acceptance of a run failed although the engine has it. */
    isRefused: (id: RunId): boolean => refused.has(id),

    /** Durable when it resolves: the engine's record is the acceptance, and its owner's record follows. */
    async accept(run: Run): Promise<void> {
      const log = logs.of(run.owner, run.id);
      refused.delete(run.id);
      const accepted = submit(run).then(() => begin(run, log));
      accepting.set(run.id, accepted);
      try {
        await accepted;
      } catch (error) {
        refused.set(run.id, error);
        log.close();
        throw error;
      } finally {
        accepting.delete(run.id);
      }
    },

    /** Waits for an acceptance that is under way. Throws why the run was refused. */
    async mustBeAccepted(id: RunId): Promise<void> {
      await accepting.get(id);
      if (refused.has(id)) throw refused.get(id);
    },

    begin,

    /** Throws why a run was refused, for as long as the engine still has it: after that it can be accepted again. */
    async mustBeOver(id: RunId): Promise<void> {
      if (refused.has(id) && (await engine.get(id))?.endedAt === null) throw refused.get(id);
    },

    /** Whether a run was accepted and has not ended. */
    isAccepted: async (id: RunId): Promise<boolean> => !refused.has(id) && (await engine.get(id))?.endedAt === null,

    /** Resolves when the present run of the owner has ended and its process is gone. */
    async stop(owner: OwnerId): Promise<void> {
      const log = logs.get(owner);
      if (log === undefined) return;
      await engine.cancel(log.runId);
      for await (const _event of log.read()); // the log closes after the end was recorded
    },

    /** Removes the engine's records of ended runs: their owners have their own. */
    forgetEnded(): void {
      for (const id of ended.splice(0)) engine.remove(id).catch(() => ended.push(id));
    },

    forget: logs.forget,
    watch: logs.watch,
    logOf: logs.logOf,
    ownerOf: logs.ownerOf,
  };
}

/** A full disk is waited for. */
function allowLasting(error: unknown): void {
  if (isPassing(error)) throw error;
}
