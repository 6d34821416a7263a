import { HallError } from "../../schema/hall-error.ts";
import type { JobRunId, SdkSessionId } from "../../schema/ids.ts";
import type { JobRun, RunDetail, RunPrompt } from "../../schema/run.ts";
import type { AgentEnding, AgentEvent, AgentRun, AgentRunner, Gate, Transcript } from "../agent/agent-run.ts";
import { createTurns } from "../in-turn.ts";
import { isPassing } from "../passing-failure.ts";
import { createJobPauses, limitsOf, outOfMoney } from "./job-pauses.ts";
import type { FinalEnding, JobPausesDeps } from "./job-pauses.ts";
import { createLives } from "./lives.ts";
import type { Life, LivesDeps, Wait } from "./lives.ts";
import { createLimitWarnings } from "./near-limits.ts";
import { isAnsweredIn, nextStep } from "./next-step.ts";
import type { RunCall } from "./next-step.ts";
import { playRun } from "./play-run.ts";
import { createRunRecords, hasEnded, isPaused } from "./run-records.ts";
import type { JobRunEvent } from "./run-store.ts";
import { createRunStreams } from "./run-streams.ts";
import { createRunViews } from "./run-views.ts";
import type { Slots } from "./slots.ts";
import { sumOfUsage } from "./sum-of-usage.ts";
import type { WaitsShown } from "./waits.ts";

/** All of a run's next process but prompt, limits and conversation. */
export type Equipment = Pick<AgentRun, "systemPrompt" | "builtInTools" | "toolServers" | "folders"> & { gate: Gate };

export type RunsDeps = LivesDeps &
  Pick<JobPausesDeps, "ledger" | "costs" | "resetClock" | "resumesAtReset" | "now" | "onProblem"> & {
    runner: AgentRunner;
    slots: Slots;
    equip(run: JobRun, wait: Wait): Equipment;
    foldersOf(run: JobRun): AgentRun["folders"];
    /** The calls that wait or waited. An approved call of the hall's own tools is run by this, once. */
    settleCalls(run: JobRun, transcript: Transcript, isAnswered: (callId: string) => boolean): Promise<RunCall[]>;
    onToolResult(run: JobRun, event: Extract<AgentEvent, { type: "tool_result" }>): Promise<void>;
    onEnded(run: JobRun): Promise<void>;
    /** The backend does not report costs. */
    isEstimate: () => boolean;
    newPromptId: () => string;
    newConversation: () => SdkSessionId;
  };

const retryMs = 1000;

export type Runs = ReturnType<typeof createRuns>;

/** Runs of the hall's own workers: each is a record first, then a process, and again a record while it waits for long. */
export function createRuns(deps: RunsDeps) {
  const { store, now, ledger, costs } = deps;
  const records = createRunRecords(store);
  const { mustGet, isOpen, change } = records;
  const lives = createLives(deps);
  const streams = createRunStreams({ store, records });
  const views = createRunViews({ store, records });
  const pauses = createJobPauses({ ...deps, records, wake, log: (run, event) => log(run.id, run.attempt, event) });
  const inTurn = createTurns<JobRunId>();
  const endings = new Map<JobRunId, PromiseWithResolvers<JobRun>>();
  const loops = new Set<Promise<void>>();
  /** Why runs were stopped whose record does not say so yet. */
  const stopping = new Map<JobRunId, string>();
  let isClosing = false;

  async function log(id: JobRunId, attempt: number, event: JobRunEvent): Promise<void> {
    await store.log(id, attempt, event);
    streams.notify(id);
  }

  /** Lets a run go on if it can. Safe to call at any time. */
  function wake(id: JobRunId): void {
    const loop = inTurn(id, () => carryOn(id).catch((error: unknown) => breakOff(id, error)))
      .catch(deps.onProblem)
      .then(() => void loops.delete(loop));
    loops.add(loop);
  }

  /** A full or read-only disk is waited for. Anything else ends the run, so that no record says that it goes on. */
  async function breakOff(id: JobRunId, error: unknown): Promise<void> {
    deps.onProblem(error);
    if (isPassing(error)) return void deps.schedule(retryMs, () => wake(id));
    const message = error instanceof Error ? error.message : String(error);
    await end(id, { outcome: "failed", code: "internal", message: `The run broke off: ${message}` }).catch((failure: unknown) => {
      deps.onProblem(failure);
      deps.schedule(retryMs, () => wake(id));
    });
  }

  async function carryOn(id: JobRunId): Promise<void> {
    for (;;) {
      const run = mustGet(id);
      // Its last process may have cost something after it was stopped.
      if (hasEnded(run)) return recordCost(run);
      if (isClosing) return;
      const why = stopping.get(id);
      if (why !== undefined) return recordStop(id, why);
      if (isPaused(run)) return;
      const next = await nextPrompt(run);
      if (next === "waits") return;
      const ending = "outcome" in next ? next : await play(mustGet(id), next);
      await recordCost(run);
      // The record stays as it is for the next life of the hall.
      if (ending.outcome === "failed" && (isClosing || ending.code === "interrupted")) return;
      if (ending.outcome === "parked" || stopping.has(id)) continue;
      if (await pauses.pauseAfter(mustGet(id), ending, await store.usage(id))) return;
      if (ending.outcome === "completed" || ending.code !== "session_expired") return end(id, ending);
      // A process that was killed early leaves no conversation to resume.
      await change(id, (each) => ({ ...each, conversation: deps.newConversation() }));
    }
  }

  /** The prompt for the next process. A run that has to wait says in its record for what. */
  async function nextPrompt(run: JobRun): Promise<RunPrompt | "waits" | Extract<AgentEnding, { outcome: "completed" }>> {
    const { id, parent } = run;
    const transcript = await deps.runner.transcript({ conversation: conversationOf(run), folders: deps.foldersOf(run) });
    const results = await store.results(id);
    const step = nextStep({ run, transcript, results, calls: await deps.settleCalls(run, transcript, isAnsweredIn(results)) });
    if (step.next === "send") return step.prompt;
    if (step.next === "end") return { outcome: "completed", text: step.text };
    if (step.next === "wait") {
      await change(id, (each) => ({ ...each, state: "waiting", waitingFor: step.for }));
      if (parent !== null) lives.considerParking(parent);
      return "waits";
    }
    const prompt = { id: deps.newPromptId(), ...step.prompt };
    await change(id, (each) => ({ ...each, prompts: [...each.prompts, prompt] }));
    return prompt;
  }

  async function play(run: JobRun, prompt: RunPrompt): Promise<Played> {
    const life = lives.begin(run);
    let leave = () => {};
    try {
      // It may have been stopped before there was a life to abort.
      if (stopping.has(run.id) || hasEnded(mustGet(run.id))) return stopped;
      leave = await takePlace(run, life);
      const { attempt } = await change(run.id, (each) => ({
        ...each,
        state: "running",
        waitingFor: null,
        attempt: each.attempt + 1,
        startedAt: each.startedAt ?? now(),
      }));
      return await drive(run, life, { attempt, prompt });
    } catch (error) {
      if (life.signal.aborted) return stopped;
      if (!(error instanceof HallError) || error.code !== "interrupted") throw error;
      return { outcome: "failed", code: error.code, message: error.message };
    } finally {
      life.end();
      leave();
    }
  }

  /** Waits until new runs are not paused, and for a place. A child never waits: its parent has a place, or has parked. */
  async function takePlace(run: JobRun, life: Life): Promise<() => void> {
    if (run.parent !== null) return () => {};
    if (run.state !== "queued") await show(run.id, { state: "queued", waitingFor: null });
    let isShown = false;
    const onWait = (): void => {
      if (isShown) return;
      isShown = true;
      const waitingFor = { kind: "slot", since: now() } as const;
      void show(run.id, { waitingFor });
      log(run.id, run.attempt, { type: "waiting", waitingFor }).catch(deps.onProblem);
    };
    if (run.attempt === 0) await deps.slots.unpaused(life.signal, onWait);
    const leave = await life.takePlace(onWait);
    if (isShown) log(run.id, run.attempt, { type: "resumed" }).catch(deps.onProblem);
    return leave;
  }

  /** Plays one process. The money that all runs share is looked at between two responses, so no answer is lost that was paid for. */
  async function drive(run: JobRun, life: Life, { attempt, prompt }: { attempt: number; prompt: RunPrompt }): Promise<Played> {
    const { id } = run;
    const used = await store.usage(id);
    const limits = pauses.limitsLeft(run, used);
    if ("outcome" in limits) return limits;
    const moneyGone = new AbortController();
    let refused: HallError | null = null;
    let costUsd = 0;
    let ending: AgentEnding = { outcome: "failed", code: "internal", message: "The agent ended without saying how." };
    const agentRun = processOf(run, life, { prompt, limits, signal: AbortSignal.any([life.signal, moneyGone.signal]) });
    const warnings = createLimitWarnings();
    costs.begin(id, limitsOf(run).maxBudgetUsd, used);
    for await (const event of playRun(deps.runner, agentRun, deps.slots.of(run.root, { hasBegun: true }), shownIn(run, attempt))) {
      await log(id, attempt, event);
      if (event.type === "usage") {
        ({ costUsd } = event);
        const usedNow = sumOfUsage(used, event);
        costs.spend(id, usedNow);
        for (const warning of warnings.of(pauses.usedOf(run, usedNow))) {
          await log(id, attempt, { type: "near_limit", ...warning });
        }
      }
      if (event.type === "tool_result") {
        life.onResult(event.id);
        await deps.onToolResult(run, event);
        refused ??= pauses.refusal(id, costUsd);
        if (refused !== null) moneyGone.abort();
      }
      if (event.type === "ended") ending = event.ending;
    }
    const isOutOfMoney = refused !== null && !life.signal.aborted && ending.outcome === "failed" && ending.code === "stopped";
    return isOutOfMoney && refused !== null ? outOfMoney(refused) : ending;
  }

  function processOf(
    run: JobRun,
    life: Life,
    { prompt, limits, signal }: { prompt: RunPrompt; limits: AgentRun["limits"]; signal: AbortSignal },
  ): AgentRun {
    const { gate, ...equipment } = deps.equip(run, life.wait);
    return {
      ...equipment,
      ...(run.model.name === null ? {} : { model: run.model.name }),
      prompt: prompt.text,
      promptId: prompt.id,
      isResumable: true,
      conversation: conversationOf(run),
      limits,
      signal,
      gate: (call, context) => {
        life.onCall(call.id);
        return gate(call, context);
      },
    };
  }

  async function recordCost({ id, owner }: JobRun): Promise<void> {
    for (const cost of await store.costs(id)) {
      if (cost.costUsd > 0) await ledger.record({ runId: id, owner, ...cost, isEstimate: deps.isEstimate() });
    }
    costs.end(id);
  }

  /** Shows in the record and in the log what a run with a process waits for. */
  const shownIn = ({ id }: JobRun, attempt: number): WaitsShown => ({
    now,
    onWaiting(waitingFor) {
      void show(id, { state: "waiting", waitingFor });
      log(id, attempt, { type: "waiting", waitingFor }).catch(deps.onProblem);
    },
    onResumed() {
      void show(id, { state: "running", waitingFor: null });
      log(id, attempt, { type: "resumed" }).catch(deps.onProblem);
    },
  });

  /** What the record shows while a process lives. It decides nothing, so a disk that fails does not fail the call. */
  const show = async (id: JobRunId, shown: Partial<JobRun>): Promise<void> => {
    await change(id, (each) => ({ ...each, ...shown })).catch(deps.onProblem);
  };

  async function end(id: JobRunId, ending: FinalEnding): Promise<void> {
    const run = await change(id, (each) => ({
      ...each,
      state: ending.outcome,
      waitingFor: null,
      endedAt: now(),
      ending: ending.outcome === "failed" ? { code: ending.code, message: ending.message } : null,
      output: ending.outcome === "completed" ? ending.text : null,
    }));
    await ended(run);
  }

  /** Those who wait for it hear of it first; what it asked and started ends with it. */
  async function ended(run: JobRun): Promise<void> {
    endings.get(run.id)?.resolve(run);
    endings.delete(run.id);
    streams.notify(run.id);
    if (run.parent !== null) wake(run.parent);
    await deps.onEnded(run).catch(deps.onProblem);
    for (const child of store.childrenOf(run.id)) await cancelLeft(child.id);
  }

  /** For a run whose parent has ended. A full disk is waited for. */
  async function cancelLeft(id: JobRunId): Promise<void> {
    await cancel(id, "The run that started it has ended.").catch((error: unknown) => {
      deps.onProblem(error);
      if (isPassing(error)) deps.schedule(retryMs, () => void cancelLeft(id));
    });
  }

  /** Its process is aborted at once. A record that a full disk refuses is written as soon as it can be. */
  async function cancel(id: JobRunId, message: string): Promise<void> {
    if (!isOpen(id)) return;
    stopping.set(id, message);
    lives.abort(id);
    pauses.cancelTimer(id);
    await recordStop(id, message).catch((error: unknown) => {
      if (isPassing(error)) deps.schedule(retryMs, () => wake(id));
      throw error;
    });
  }

  async function recordStop(id: JobRunId, message: string): Promise<void> {
    // A process that a crash ended has not had its cost recorded, and nothing looks at the run again.
    await recordCost(mustGet(id));
    let isRecorded = false;
    const run = await change(id, (each) => {
      isRecorded = true;
      return { ...each, state: "cancelled", waitingFor: null, endedAt: now(), ending: { code: "stopped", message } };
    });
    stopping.delete(id);
    if (isRecorded) await ended(run);
  }

  return {
    /** Settles the records that a hall left: none says that it runs, and each goes on if it can. */
    async start(): Promise<void> {
      const open = store.open();
      for (const run of open) {
        if (isPaused(run)) pauses.waitForReset(run);
        else await show(run.id, { state: "queued", waitingFor: null });
      }
      for (const { id, parent } of open) {
        const isLeft = parent !== null && !isOpen(parent);
        if (isLeft) await cancelLeft(id);
        else wake(id);
      }
    },
    isOpen,
    /** Accepts a run: it is durable when this resolves, and goes on by itself. */
    async accept(run: JobRun): Promise<JobRun> {
      if (isClosing) throw new HallError("shutting_down", "The hall is stopping and takes no new work.");
      await store.save(run);
      // Its parent may have been stopped since it made the call.
      if (run.parent !== null && !isOpen(run.parent)) await cancelLeft(run.id);
      else wake(run.id);
      return mustGet(run.id);
    },
    get: mustGet,
    detail: views.detail,
    tree: views.tree,
    watch: streams.watch,
    /** Resolves when the run has ended, however long that takes. */
    ended(id: JobRunId): Promise<JobRun> {
      const run = mustGet(id);
      if (hasEnded(run)) return Promise.resolve(run);
      const known = endings.get(id) ?? Promise.withResolvers<JobRun>();
      endings.set(id, known);
      return known.promise;
    },
    wake,
    /** Ends the run and all that it started. */
    async stop(id: JobRunId): Promise<void> {
      await cancel(mustGet(id).id, "A person stopped it.");
    },
    /** Ends every run. Returns how many roots there were. */
    async stopAll(): Promise<number> {
      const open = store.open();
      const stops = await Promise.allSettled(open.map(({ id }) => cancel(id, "A person stopped everything.")));
      for (const stop of stops) if (stop.status === "rejected") throw stop.reason;
      return open.filter(({ parent }) => parent === null).length;
    },
    /** Tries the model again before its usage limit is reset. */
    async resume(id: JobRunId): Promise<RunDetail> {
      await pauses.tryNow(id);
      return views.detail(id);
    },
    async raise(id: JobRunId, to: number): Promise<RunDetail> {
      await pauses.raise(id, to, await store.usage(id));
      return views.detail(id);
    },
    /** Ends a run that waits at a limit with what it has said. */
    async finish(id: JobRunId): Promise<void> {
      pauses.mustWaitAtLimit(id);
      await end(id, { outcome: "completed", text: await store.lastText(id) });
    },
    /** There may be more money for the runs that wait for it. */
    onMoneyFreed: (): void => pauses.onMoneyFreed(store.open()),
    /** Ends every process in mid-turn; the runs go on when the hall is opened again. */
    async close(): Promise<void> {
      isClosing = true;
      pauses.close();
      await deps.runner.close();
      await Promise.all(loops);
    },
  };
}

type Played = FinalEnding | Extract<AgentEnding, { outcome: "parked" }>;

const stopped = { outcome: "failed", code: "stopped", message: "The run was stopped." } as const;

const conversationOf = ({ conversation }: JobRun) => ({ id: conversation, resume: false });
