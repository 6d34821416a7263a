import { HallError } from "../../schema/hall-error.ts";
import { newMessageId } from "../../schema/ids.ts";
import type { MessageId, SessionId } from "../../schema/ids.ts";
import type { MessageRunRecord, RunDetail, RunTree } from "../../schema/run.ts";
import type { RunEvent, WorkEvent } from "../../schema/run-event.ts";
import type { SessionEvent } from "../../schema/session-event.ts";
import type { Message, Session } from "../../schema/session.ts";
import { mustBeRaised } from "../run/raised-limit.ts";
import { actionsOf } from "../run/run-actions.ts";
import type { Logged, LoggedEvents } from "../run/run-log.ts";
import type { Pauses } from "../run/pauses.ts";
import type { RunningCosts } from "../run/running-costs.ts";
import { dayRefusal } from "../run/spending.ts";
import type { SpendingLedger } from "../run/spending.ts";
import { modelOf, stateAfter } from "./message-record.ts";
import type { MessageRuns } from "./message-runs.ts";

type SessionRunsDeps = {
  runs: MessageRuns;
  pauses: Pauses;
  ledger: SpendingLedger;
  running: RunningCosts;
  mustGet: (id: SessionId) => Promise<Session>;
  change: (id: SessionId, next: (session: Session) => Session) => Promise<Session>;
  addNote: (id: SessionId, note: Message) => Promise<void>;
  now: () => string;
};

/** What a person can do with the runs of sessions while they go on. An ended run is in its session's history. */
export function createSessionRuns({ runs, pauses, ledger, running, mustGet, change, addNote, now }: SessionRunsDeps) {
  function ownerOf(id: MessageId): SessionId {
    const owner = runs.owners().find((each) => runs.present(each) === id);
    if (owner === undefined) throw notThere(id);
    return owner;
  }

  async function get(id: MessageId): Promise<RunDetail> {
    const ended = await runs.recordOf(id);
    if (ended !== null && ended.endedAt !== null) return detailOf(ended);
    const owner = ownerOf(id);
    const session = await mustGet(owner);
    const waitingFor = runs.waitingFor(owner);
    const isQueued = waitingFor?.kind === "slot" && !runs.hasBegun(id);
    const state = isQueued ? "queued" : waitingFor === null ? "running" : "waiting";
    return {
      id,
      owner: { kind: "session", id: owner },
      parent: null,
      root: id,
      depth: 0,
      worker: null,
      model: modelOf(session),
      state,
      waitingFor,
      ...progressOf(runs.progress(id)),
      endedAt: null,
      ending: null,
      output: null,
      children: [],
      actions: actionsOf({ state, waitingFor, readsNotes: true }),
    };
  }

  /** The limit that the run waits at. */
  function budgetOf(id: MessageId) {
    const pause = pauses.get(id);
    if (pause?.kind !== "budget") throw new HallError("conflict", "The run does not wait for a limit of its own.");
    return pause;
  }

  return {
    get,
    owns: (id: MessageId): boolean => runs.owners().some((owner) => runs.present(owner) === id),

    async stop(id: MessageId): Promise<void> {
      await runs.stop(ownerOf(id));
    },

    /** The events of a run, also for a while after it has ended. */
    watch(id: MessageId, lastEventId: string | undefined): LoggedEvents<RunEvent> {
      const log = runs.logOf(id);
      if (log === undefined) throw notThere(id);
      return asRunEvents(log.read(lastEventId));
    },

    /** A message's run starts no other runs, so its tree is the run alone. */
    async tree(id: MessageId): Promise<RunTree> {
      const { worker, state, waitingFor, usage } = await get(id);
      return { root: { id, worker, state, waitingFor, usage, children: [] }, usage };
    },

    /** Tries the model again before its usage limit is reset. */
    async resume(id: MessageId): Promise<RunDetail> {
      ownerOf(id);
      if (pauses.get(id)?.kind !== "limit") throw new HallError("conflict", "The run does not wait for the model's usage limit.");
      pauses.decide(id, "resume");
      return get(id);
    },

    /** Ends a run that waits at a limit with what it has. */
    async finish(id: MessageId): Promise<void> {
      budgetOf(id);
      pauses.decide(id, "finish");
    },

    async raise(id: MessageId, to: number): Promise<RunDetail> {
      const owner = ownerOf(id);
      const { limit } = budgetOf(id);
      const known = runs.progress(id);
      const present = known.usedOf(known).find((each) => each.limit === limit);
      if (present !== undefined) mustBeRaised(to, present);
      if (limit === "turns" || limit === "run") runs.raise(id, limit, to);
      if (limit === "session") await change(owner, (session) => ({ ...session, limits: { ...session.limits, maxCostUsd: to } }));
      if (limit === "day") await ledger.setLimit({ perDayUsd: to, until: "today" });
      pauses.decide(id, "resume");
      return get(id);
    },

    /** Durable when it resolves. The agent reads it at its next tool call, or the session sends it as its next message. */
    async note(id: MessageId, text: string): Promise<Message> {
      const note: Message = { id: newMessageId(), role: "user", at: now(), blocks: [{ type: "text", text }], note: { readAt: null } };
      await addNote(ownerOf(id), note);
      return note;
    },

    async stopAll(): Promise<number> {
      const owners = runs.owners();
      await Promise.all(owners.map((owner) => runs.stop(owner)));
      return owners.length;
    },

    /** There may be more money for the runs that wait for that of the day. */
    onMoneyFreed(): void {
      for (const owner of runs.owners()) {
        const id = runs.present(owner);
        const pause = id === null ? null : pauses.get(id);
        if (id === null || pause?.kind !== "budget" || pause.limit !== "day") continue;
        const today = ledger.today();
        const withThis = { ...today, costUsd: today.costUsd + running.costOf(id) };
        if (dayRefusal(withThis, running.excluding(id)) === null) pauses.decide(id, "resume");
      }
    },

    /** The limits of a session were changed: its run looks whether it still waits at one of them. */
    onLimitsChanged(owner: SessionId): void {
      const id = runs.present(owner);
      const pause = id === null ? null : pauses.get(id);
      if (id !== null && pause?.kind === "budget" && pause.limit !== "day") pauses.decide(id, "resume");
    },
  };
}

const notThere = (id: MessageId): HallError =>
  new HallError("not_found", `Run ${id} is not there. If it has ended, its answer is in its session.`);

function asRunEvents(events: LoggedEvents<SessionEvent | WorkEvent>): LoggedEvents<RunEvent> {
  return {
    [Symbol.asyncIterator]() {
      const each = events[Symbol.asyncIterator]();
      return {
        async next() {
          const next = await each.next();
          return next.done === true ? { done: true, value: undefined } : { done: false, value: asRunEvent(next.value) };
        },
        ready() {
          const event = each.ready();
          return event === undefined ? undefined : asRunEvent(event);
        },
        async return() {
          await each.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** A session is idle after its run; the run itself has come to an end of some kind. */
function asRunEvent(event: Logged<SessionEvent | WorkEvent>): Logged<RunEvent> {
  if (event.event !== "status") return event;
  const { status, ...data } = event.data;
  return { ...event, data: { ...data, status: status === "running" ? "running" : stateAfter(data.error ?? null) } };
}

const progressOf = ({ attempt, startedAt, usage }: ReturnType<MessageRuns["progress"]>) => ({ attempt, startedAt, usage });

function detailOf({ profile: _, ...record }: MessageRunRecord): RunDetail {
  return { ...record, output: null, children: [], actions: actionsOf({ ...record, readsNotes: true }) };
}
