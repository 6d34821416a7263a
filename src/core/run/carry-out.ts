import type { HallError } from "../../schema/hall-error.ts";
import type { RunId } from "../../schema/ids.ts";
import type { Message, SessionFailure } from "../../schema/session.ts";
import type { WorkEvent } from "../../schema/run-event.ts";
import type { QueryUsage } from "../../schema/usage.ts";
import type { AgentEnding, AgentRun, AgentRunner } from "../agent/agent-run.ts";
import { createMessageFold } from "./message-fold.ts";
import { createLimitWarnings } from "./near-limits.ts";
import type { Used } from "./near-limits.ts";
import { createNotes, textIn } from "./notes.ts";
import { pauseOf } from "./pause-of.ts";
import type { PauseDecision, Pauses } from "./pauses.ts";
import { playRun } from "./play-run.ts";
import type { RunningCosts } from "./running-costs.ts";
import type { Slot } from "./slots.ts";
import { sumOfUsage } from "./sum-of-usage.ts";
import type { WaitsShown } from "./waits.ts";

/** How a run ended, what it cost, how many messages it added, and the last of them. */
export type RunOutcome = {
  error: SessionFailure | null;
  costUsd: number;
  usage?: QueryUsage | undefined;
  isEstimate: boolean;
  said: number;
  last: Message | null;
};

/** What the processes of a run have used together. `usage` is null until the model has told anything. */
export type Spent = { costUsd: number; isEstimate: boolean; usage: QueryUsage | null };

export type RunParts = {
  id: RunId;
  runner: AgentRunner;
  costs: RunningCosts;
  pauses: Pauses;
  slot: Slot;
  shown: WaitsShown;
  signal: AbortSignal;
  /** The hall is closing, so an abort is not the wish of a person. */
  isClosing: () => boolean;
  /** The next process to play. */
  prepare: (next: { spent: Spent; signal: AbortSignal }) => Promise<AgentRun>;
  /** The backend does not report costs. */
  isEstimate: () => boolean;
  /** Why a run that has used this much may not go on, by the limits that it shares with others. */
  refusal: (spent: Spent) => HallError | null;
  /** Called before the run goes on after a pause, in which limits may have changed. */
  refresh: () => Promise<void>;
  /** The limit of money or turns that the run itself has reached. */
  reached: (spent: Spent) => "run" | "turns" | null;
  /** How much of each limit is used. */
  usedOf: (spent: Spent) => Used[];
  /** The sentence for a run that reached its own limit. */
  words: (limit: "run" | "turns", spent: Spent) => string;
  resumesAtReset: () => boolean;
  /** The notes of a person that the agent has not read yet. */
  unreadNotes: () => Promise<Message[]>;
  /** Stores a message that is complete. */
  keep: (message: Message) => Promise<void>;
  emit: (event: WorkEvent) => void;
  now: () => string;
};

/** Plays a run, process after process, and stores each message as soon as it is complete. A limit pauses it. */
export async function carryOut(run: RunParts): Promise<RunOutcome> {
  const { emit, now } = run;
  const fold = createMessageFold({ now });
  let spent: Spent = { costUsd: 0, isEstimate: run.isEstimate(), usage: null };
  /** Notes that are read while a message is open come after it in the history. */
  const notes = createNotes({ unread: run.unreadNotes, now });
  const warnings = createLimitWarnings();
  let said = 0;
  let last: Message | null = null;
  let resumes = 0;

  for (let isFirst = true; ; isFirst = false) {
    if (!isFirst) warnings.reset();
    const { ending, refused } = await play(isFirst);
    const words = (limit: "run" | "turns") => run.words(limit, spent);
    const pause = run.signal.aborted
      ? null
      : pauseOf({ ending, refused, resumes, resumesAtReset: run.resumesAtReset(), words, now: now() });
    await keep(fold.finish({ interrupted: ending.outcome === "failed" && pause === null }));
    if (pause === null) return outcome(failureOf(ending, run.isClosing()));
    run.costs.setPaused(run.id, true);
    run.shown.onWaiting(pause);
    const decision = await run.pauses.wait(run.id, pause, run.signal).catch((): PauseDecision | "stopped" => "stopped");
    if (decision === "stopped") return outcome(failureOf(stopped, run.isClosing()));
    run.costs.setPaused(run.id, false);
    run.shown.onResumed();
    if (decision === "reset") resumes += 1;
    if (decision === "finish") return outcome(null);
  }

  function outcome(error: SessionFailure | null): RunOutcome {
    const { costUsd, isEstimate, usage } = spent;
    return { error, costUsd, isEstimate, ...(usage === null ? {} : { usage }), said, last };
  }

  /** One process. `refused` is not null if the shared money ran out: other runs spend as well while this one waits and works. */
  async function play(isFirst: boolean): Promise<{ ending: FinalEnding; refused: HallError | null }> {
    if (!isFirst) await run.refresh();
    let refused = run.refusal(spent);
    if (refused !== null) return { ending: stopped, refused };
    const reached = run.reached(spent);
    if (reached !== null) return { ending: { ...stopped, code: reached === "run" ? "budget" : "max_turns" }, refused };
    const before = spent;
    const outOfMoney = new AbortController();
    let ending: AgentEnding = { outcome: "failed", code: "internal", message: "The agent ended without saying how." };
    const agentRun = await run.prepare({ spent, signal: AbortSignal.any([run.signal, outOfMoney.signal]) });
    for await (const given of playRun(run.runner, notes.withNotes(agentRun), run.slot, run.shown)) {
      const event = given.type === "usage" ? { ...given, ...sumOfUsage(before.usage ?? nothing, given) } : given;
      if (event.type === "usage") {
        spent = { costUsd: event.costUsd, isEstimate: run.isEstimate() || event.isEstimate === true, usage: event };
        run.costs.spend(run.id, event);
        for (const data of warnings.of(run.usedOf(spent))) emit({ event: "near_limit", data });
      }
      // Between two responses, so that no answer is lost that was paid for.
      if (event.type === "tool_result" && refused === null && (refused = run.refusal(spent)) !== null) outOfMoney.abort();
      if (event.type === "ended") ending = event.ending;
      const { events, finished } = fold.take(event);
      await keep(finished);
      for (const each of events) emit(each);
      if (event.type === "tool_result") for (const note of notes.onResult(event.id)) emit(noteEvent(note, now()));
    }
    const final = ending.outcome === "parked" ? endedInWait : ending;
    // The model's side knows only that there was a limit.
    if (final.outcome === "failed" && final.code === "budget") refused ??= run.refusal(spent);
    const isOutOfMoney = final.outcome === "failed" && (final.code === "stopped" || final.code === "budget");
    return { ending: final, refused: isOutOfMoney ? refused : null };
  }

  async function keep(messages: readonly Message[]): Promise<void> {
    for (const message of messages) {
      await run.keep(message);
      said += 1;
      last = message;
    }
    if (messages.length === 0) return;
    for (const note of notes.takeRead()) {
      await run.keep(note);
      said += 1;
    }
  }
}

const noteEvent = ({ id, note, ...message }: Message, at: string): WorkEvent => ({
  event: "note",
  data: { messageId: id, text: textIn({ id, ...message }), readAt: note?.readAt ?? at },
});

const nothing: QueryUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 };

type FinalEnding = Exclude<AgentEnding, { outcome: "parked" }>;

const stopped = { outcome: "failed", code: "stopped", message: "The run was stopped." } as const;

/** The tools of such a run wait without ending the turn. */
const endedInWait: FinalEnding = {
  outcome: "failed",
  code: "internal",
  message: "The agent ended its turn to wait, which it cannot do in a session. Send the message again.",
};

function failureOf(ending: FinalEnding, isClosing: boolean): SessionFailure | null {
  if (ending.outcome === "completed") return null;
  const { code, message, resetsAt } = ending;
  if (code === "stopped" && isClosing)
    return { code: "interrupted", message: "The hall was stopped while this was running. What was said so far is kept." };
  return { code, message, ...(resetsAt === undefined ? {} : { resetsAt }) };
}
