import type { AgentProfile } from "../../schema/agent-profile.ts";
import { HallError } from "../../schema/hall-error.ts";
import { MessageId } from "../../schema/ids.ts";
import type { SessionId } from "../../schema/ids.ts";
import type { MessageRunRecord, RunDetail } from "../../schema/run.ts";
import type { Message, Session, SessionFailure } from "../../schema/session.ts";
import { SessionEvent } from "../../schema/session-event.ts";
import type { WorkEvent } from "../../schema/run-event.ts";
import type { AgentRunner } from "../agent/agent-run.ts";
import type { JobEngine } from "../engine/job-engine.ts";
import { createTurns } from "../in-turn.ts";
import { isPassing } from "../passing-failure.ts";
import { carryOut } from "../run/carry-out.ts";
import type { RunOutcome } from "../run/carry-out.ts";
import type { Used } from "../run/near-limits.ts";
import type { Pauses } from "../run/pauses.ts";
import type { ProgressStore } from "../run/progress-store.ts";
import { createDiskRetry } from "../run/retry-on-full-disk.ts";
import type { DiskRetry } from "../run/retry-on-full-disk.ts";
import type { RunLog } from "../run/run-log.ts";
import { createRunQueue } from "../run/run-queue.ts";
import type { Carried } from "../run/run-queue.ts";
import type { Slots } from "../run/slots.ts";
import { begunRecord, endedRecord } from "./message-record.ts";
import { messagePayload, messageRun } from "./message-run.ts";
import type { MessageRun } from "./message-run.ts";
import { createMessageProcess } from "./message-process.ts";
import type { Raises } from "./message-process.ts";
import type { RunDeps } from "./prepared-run.ts";
import { previewOf } from "./preview.ts";
import { mayCost } from "./session-budget.ts";
import { withQuery } from "./session-usage.ts";
import { interrupted, settleMessage } from "./settle-message.ts";

export type MessageRunsDeps = RunDeps & {
  runner: AgentRunner;
  engine: JobEngine;
  slots: Slots;
  pauses: Pauses;
  progress: ProgressStore;
  /** Whether a run goes on by itself when the provider's usage limit is reset. */
  resumesAtReset: () => boolean;
  newPromptId: () => string;
  /** The notes that wait in a session. They stay there until they are in the history. */
  notes: { list(id: SessionId): Promise<Message[]>; leave(id: SessionId, messageId: MessageId): Promise<unknown> };
  /** The model at hand does not tell what it costs. */
  isEstimate: () => boolean;
  now: () => string;
  /** How long to wait before a write that the disk refused is tried again. */
  pause: (ms: number) => Promise<void>;
  /** Told what could not be put right while no request was waiting for it. */
  onProblem: (error: unknown) => void;
  /** Writes a session and publishes the change. */
  change: (id: SessionId, next: (session: Session) => Session) => Promise<Session>;
  /** The agent got an answer from a tool, which may have changed a file. */
  onToolResult: (id: SessionId) => void;
  onWaitingChanged: (id: SessionId) => void;
  /** Called after a run ended and its readers were told. Until it resolves, a crash finds the session through this run. */
  onEnded: (id: SessionId, outcome: Pick<RunOutcome, "error">) => Promise<void>;
};

export type MessageRuns = ReturnType<typeof createMessageRuns>;

type Log = RunLog<SessionEvent | WorkEvent>;

/** How many messages are read to find a recent one. */
const recent = { limit: 200 };
/** The same for a message behind which only messages came that began in the same moment. */
const newest = { limit: 20 };

/** The messages of sessions as runs. Each is accepted, played and ended once, and its session's record follows. */
export function createMessageRuns(deps: MessageRunsDeps) {
  const { store, change, now, running } = deps;
  /** Runs that a crash left and whose end could not be written yet, because of a full disk for instance. */
  const unsettled = new Map<SessionId, MessageRun>();
  /** Why the end of a run could not be written, for its session to show once it can be. */
  const unwritten = new Map<SessionId, SessionFailure>();
  const settleInTurn = createTurns<SessionId>();
  const raises: Raises = new Map();
  /** Of the runs that have begun. */
  const progress = new Map<MessageId, Progress>();
  const queue = createRunQueue<SessionId, MessageRun, SessionEvent>({
    ...deps,
    kind: "query",
    payload: messagePayload,
    parse: (event) => SessionEvent.parse(event),
    begin,
    carryOut: answer,
    endUnbegun: (run, log) => end(run, log, { error: stopped, costUsd: 0, isEstimate: false, said: 0, last: null }, (write) => write()),
    settle,
    onWaitingChanged: ({ owner }) => deps.onWaitingChanged(owner),
  });

  /** Puts an accepted message into the history and marks its session. */
  async function begin({ owner: id, message }: MessageRun): Promise<void> {
    const { messages } = await store.messages(id, newest);
    // An earlier life of the hall may have come as far as here, and a message that it refused may have come in behind.
    const isKept = messages.some((each) => each.id === message.id);
    if (!isKept) await store.appendMessage(id, message);
    // A message in the history cannot be refused any more: its run insists on the mark.
    const session = await mark(id, message, isKept ? await countMessages(id) : null).catch(allowPassing);
    // A message that an earlier life of the hall accepted has no reserve yet.
    if (session !== undefined && !running.isKnown(message.id)) reserve(session, message);
  }

  const mark = (id: SessionId, message: Message, counted: number | null): Promise<Session> =>
    change(id, (session) => (session.status === "running" ? session : begun(session, message, counted)));

  async function mustBeMarked({ owner: id, message }: MessageRun): Promise<Session> {
    const session = await store.get(id);
    if (session === null) throw new HallError("not_found", `Session ${id} is gone.`);
    return session.status === "running" ? session : mark(id, message, await countMessages(id));
  }

  const countMessages = async (id: SessionId): Promise<number> =>
    (await store.messages(id, { limit: Number.MAX_SAFE_INTEGER })).messages.length;

  async function answer(run: MessageRun, carried: Carried<SessionEvent>): Promise<HallError | null> {
    const { id, owner } = run;
    const { log } = carried;
    const retry = createDiskRetry({
      pause: deps.pause,
      isOver: queue.isClosing,
      onHeld: (error) => log.append({ event: "status", data: { status: "running", error } }),
    });
    try {
      const outcome = await play(run, carried, retry).catch((error: unknown) => brokenOff(error, running.costOf(id)));
      await end(run, log, outcome, retry).catch((error: unknown) => {
        unwritten.set(owner, outcome.error ?? failureOf(error));
        throw error;
      });
      if (!queue.isClosing() || outcome.error === null) await deps.onEnded(owner, outcome);
      return outcome.error === null ? null : new HallError(outcome.error.code, outcome.error.message);
    } finally {
      running.end(id);
      raises.delete(id);
      progress.delete(id);
    }
  }

  async function play(run: MessageRun, carried: Carried<SessionEvent>, retry: DiskRetry): Promise<RunOutcome> {
    const { id, owner } = run;
    const { log } = carried;
    progress.set(id, { ...notBegun, startedAt: now() });
    await queue.mustBeAccepted(id);
    await retry(() => queue.begin(run, log));
    const session = await retry(() => mustBeMarked(run));
    log.append({ event: "status", data: { status: "running" } });
    const onBegin = async (profile: AgentProfile): Promise<void> => {
      const { usage } = notBegun;
      const record = begunRecord(run, { session, profile, startedAt: progressOf(id).startedAt ?? now(), usage });
      await retry(() => store.saveRun(record));
      progress.set(id, { ...progressOf(id), record });
    };
    const process = createMessageProcess({ ...deps, onBegin }, run, session, raises);
    const usedOf = ({ usage }: Progress): Used[] => process.usedOf({ costUsd: usage.costUsd, isEstimate: false, usage });
    progress.set(id, { ...progressOf(id), usedOf });
    return carryOut({
      ...deps,
      ...carried,
      ...process,
      prepare(next) {
        const known = progressOf(id);
        progress.set(id, { ...known, attempt: known.attempt + 1 });
        return process.prepare(next);
      },
      id,
      costs: running,
      isClosing: queue.isClosing,
      // A queue that cannot be read must not keep the agent from its tools.
      unreadNotes: () => deps.notes.list(owner).catch((error: unknown) => (deps.onProblem(error), [])),
      async keep(said) {
        await retry(() => store.appendMessage(owner, said));
        if (said.note !== undefined) await retry(() => deps.notes.leave(owner, said.id));
      },
      emit(event) {
        log.append(event);
        if (event.event === "usage") progress.set(id, { ...progressOf(id), usage: event.data });
        if (event.event === "tool_result") deps.onToolResult(owner);
      },
    });
  }

  /** The one place where a run ends, however it ended: the record first, then the word to its readers. */
  async function end({ id, owner }: MessageRun, log: Log, outcome: RunOutcome, retry: DiskRetry): Promise<void> {
    const { error, costUsd, isEstimate, said, last } = outcome;
    // Before the session's total: a crash in between puts that right from here.
    if (costUsd > 0) await retry(() => deps.ledger.record({ runId: id, owner: { kind: "session", id: owner }, costUsd, isEstimate }));
    const status = error?.code === "session_expired" ? "expired" : "idle";
    // A run that failed before its session was marked may be in the history, where it is not counted yet.
    const hasBegun = error === null || (await store.get(owner))?.status === "running";
    const counted = hasBegun ? null : await countMessages(owner);
    const at = now();
    const ended = (session: Session): Session => ({
      ...session,
      status,
      error,
      costUsd: session.costUsd + costUsd,
      usage: withQuery(session.usage, outcome),
      messageCount: counted ?? session.messageCount + said,
      lastActivityAt: at,
      preview: (last === null ? null : previewOf(last)) ?? session.preview,
      endedQuery: id,
    });
    await endRecord(id, { at, error, retry }).catch(deps.onProblem);
    // A try that failed late may have written it, and nothing is counted twice.
    const isWritten = (session: Session) => session.endedQuery === id && session.lastActivityAt === at;
    await retry(() => change(owner, (session) => (isWritten(session) ? session : ended(session))));
    if (error !== null) log.append({ event: "error", data: { code: error.code, message: error.message } });
    log.append({ event: "status", data: { status, ...(error === null ? {} : { error }) } });
    log.append({ event: "done", data: {} });
    log.close();
    running.end(id);
  }

  /** Before the session's own record: a crash in between settles both. */
  async function endRecord(
    id: MessageId,
    { at, error, retry }: { at: string; error: SessionFailure | null; retry: DiskRetry },
  ): Promise<void> {
    const { record, attempt, usage } = progressOf(id);
    if (record !== null) await retry(() => store.saveRun(endedRecord(record, { at, error, attempt, usage })));
  }

  async function settle(run: MessageRun): Promise<void> {
    try {
      await settleInTurn(run.owner, () => settleMessage(run, deps));
      unsettled.delete(run.owner);
      await deps.progress.remove(run.id).catch(deps.onProblem);
    } catch (error) {
      unsettled.set(run.owner, run);
      throw error;
    }
  }

  const progressOf = (id: MessageId): Progress => progress.get(id) ?? notBegun;

  const reserve = (session: Session, { id }: Message): void =>
    running.begin(id, mayCost({ session, perSessionUsd: deps.limits.perSessionUsd }, deps.limits.maxBudgetUsd));

  return {
    /** Settles what a crash left, then takes messages. Returns the sessions that had one. */
    async start(): Promise<SessionId[]> {
      const found = await queue.start();
      return found.map(({ owner }) => owner);
    },

    close: queue.close,
    isOpen: queue.isOpen,
    waitingFor: queue.waitingFor,
    mustBeOver: queue.mustBeOver,
    stop: queue.stop,
    forgetEnded: queue.forgetEnded,
    forget: queue.forget,
    watch: queue.watch,
    logOf: queue.logOf,
    /** The last run of the session that this run belongs to, if its stream is still known. */
    async recordOf(id: MessageId): Promise<MessageRunRecord | null> {
      const owner = queue.ownerOf(id);
      const record = owner === null ? null : await store.run(owner);
      return record?.id === id ? record : null;
    },

    /** Durable when it resolves. */
    async accept(session: Session, message: Message): Promise<void> {
      // A run that a crash left, and whose end the disk refused, ends before another begins.
      const left = unsettled.get(session.id);
      if (left !== undefined) await settle(left);
      reserve(session, message);
      await queue.accept(messageRun(session.id, message)).catch((error: unknown) => {
        running.end(message.id);
        throw error;
      });
    },

    owners: queue.owners,
    present: (id: SessionId): MessageId | null => MessageId.nullable().parse(queue.present(id)),
    /** Whether a run has had a slot. */
    hasBegun: (id: MessageId): boolean => progress.has(id),
    progress: progressOf,

    /** A limit of this run alone; it counts until the run ends. */
    raise(id: MessageId, limit: "turns" | "run", to: number): void {
      raises.set(id, { ...raises.get(id), [limit]: to });
    },

    /** The waiting messages that have not come into the history, as far as that can still be told. */
    async notYetSaid(id: SessionId, waiting: readonly Message[]): Promise<Message[]> {
      if (waiting.length === 0) return [];
      const said = new Set((await store.messages(id, recent)).messages.map((message) => message.id));
      return waiting.filter((message) => !said.has(message.id));
    },

    /** Whether a message was accepted before, as far as that can still be told. A message that ended without coming into the history was not. */
    async isKnown(id: SessionId, messageId: MessageId): Promise<boolean> {
      if (queue.isRefused(messageId)) return false;
      if (await queue.isAccepted(messageId)) return true;
      const { messages } = await store.messages(id, recent);
      return messages.some((message) => message.id === messageId);
    },

    /** Corrects a record that says "running" although nothing runs: its end could not be written, or it came out of an old copy. */
    async settleStale(id: SessionId): Promise<Session> {
      const run = unsettled.get(id);
      if (run !== undefined) await settle(run);
      const error = unwritten.get(id) ?? interrupted;
      const settled = await change(id, (session) =>
        session.status !== "running" || queue.isOpen(id) ? session : { ...session, status: "idle", error },
      );
      unwritten.delete(id);
      return settled;
    },
  };
}

/** How far a run has come. */
type Progress = Pick<RunDetail, "attempt" | "startedAt" | "usage"> & {
  /** Null before its first process. */
  record: MessageRunRecord | null;
  /** How much is used of each limit. */
  usedOf: (progress: Progress) => Used[];
};

const notBegun: Progress = {
  attempt: 0,
  startedAt: null,
  usage: { turns: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 },
  record: null,
  usedOf: () => [],
};

const begun = (session: Session, message: Message, counted: number | null): Session => ({
  ...session,
  status: "running",
  error: null,
  messageCount: counted ?? session.messageCount + 1,
  lastActivityAt: message.at,
  preview: previewOf(message),
});

function allowPassing(error: unknown): void {
  if (!isPassing(error)) throw error;
}

const stopped: SessionFailure = { code: "stopped", message: "Stopped. What was said so far is kept." };

/** A run that the hall itself could not carry on with, for instance because the session's folder is gone. */
const brokenOff = (error: unknown, costUsd: number): RunOutcome => ({
  error: failureOf(error),
  costUsd,
  isEstimate: true,
  said: 0,
  last: null,
});

const failureOf = (error: unknown): SessionFailure => ({
  code: error instanceof HallError ? error.code : "internal",
  message: error instanceof Error ? error.message : String(error),
});
