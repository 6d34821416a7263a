import { HallError } from "../../schema/hall-error.ts";
import type { JobRunId, SdkSessionId } from "../../schema/ids.ts";
import type { JobRun, RunDetail, RunPrompt } from "../../schema/run.ts";
import type { AgentEnding, AgentEvent, AgentRun, AgentRunner, Gate, Transcript } from "../agent/agent-run.ts";
import { createTurns } from "../in-turn.ts";
import { isPassing } from "../passing-failure.ts";
import { createJobPauses, limitsOf } from "./job-pauses.ts";
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
      if (isClosing || isPaused(run)) return;
      // Its last process may have cost something after it was stopped.
      if (hasEnded(run)) return recordCost(run);
      const next = await nextPrompt(run);
      if (next === "waits") return;
      const ending = "outcome" in next ? next : await play(mustGet(id), next);
      if (isClosing && ending.outcome === "failed") return;
      await recordCost(run);
      if (ending.outcome === "parked") continue;
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

  async function play(run: JobRun, prompt: RunPrompt): Promise<AgentEnding> {
    const life = lives.begin(run);
    let leave = () => {};
    try {
      // It may have been stopped before there was a life to abort.
      if (hasEnded(mustGet(run.id))) return stopped;
      if (run.parent === null && run.state !== "queued") await show(run.id, { state: "queued", waitingFor: null });
      leave = await life.takePlace();
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
      throw error;
    } finally {
      life.end();
      leave();
    }
  }

  /** Plays one process. The money that all runs share is looked at between two responses, so no answer is lost that was paid for. */
  async function drive(run: JobRun, life: Life, { attempt, prompt }: { attempt: number; prompt: RunPrompt }): Promise<AgentEnding> {
    const { id } = run;
    const used = await store.usage(id);
    const limits = pauses.limitsLeft(run, used);
    if ("outcome" in limits) return limits;
    const outOfMoney = new AbortController();
    let refused: HallError | null = null;
    let costUsd = 0;
    let ending: AgentEnding = { outcome: "failed", code: "internal", message: "The agent ended without saying how." };
    const agentRun = processOf(run, life, { prompt, limits, signal: AbortSignal.any([life.signal, outOfMoney.signal]) });
    const warnings = createLimitWarnings();
    costs.begin(id, limitsOf(run).maxBudgetUsd);
    for await (const event of playRun(deps.runner, agentRun, deps.slots.of(run.root), shownIn(run, attempt))) {
      await log(id, attempt, event);
      if (event.type === "usage") {
        ({ costUsd } = event);
        costs.spend(id, event);
        for (const warning of warnings.of(pauses.usedOf(run, sumOfUsage(used, event)))) {
          await log(id, attempt, { type: "near_limit", ...warning });
        }
      }
      if (event.type === "tool_result") {
        life.onResult(event.id);
        await deps.onToolResult(run, event);
        refused ??= pauses.refusal(id, costUsd);
        if (refused !== null) outOfMoney.abort();
      }
      if (event.type === "ended") ending = event.ending;
    }
    const isOutOfMoney = refused !== null && !life.signal.aborted && ending.outcome === "failed" && ending.code === "stopped";
    return isOutOfMoney ? { outcome: "failed", code: "budget", message: refused?.message ?? "" } : ending;
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
    const { costUsd } = await store.usage(id);
    if (costUsd > 0) await ledger.record({ runId: id, owner, costUsd, isEstimate: deps.isEstimate() });
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

  async function cancel(id: JobRunId, message: string): Promise<void> {
    if (!isOpen(id)) return;
    const cancelled = (each: JobRun): JobRun => ({
      ...each,
      state: "cancelled",
      waitingFor: null,
      endedAt: now(),
      ending: { code: "stopped", message },
    });
    const cancelling = async (): Promise<JobRun> => {
      // A process that a crash ended has not had its cost recorded, and nothing looks at the run again.
      await recordCost(mustGet(id));
      return change(id, cancelled);
    };
    // After the record, or the process would end it as failed; and also if the disk refuses the record.
    const run = await cancelling().finally(() => lives.abort(id));
    await ended(run);
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
      const roots = store.open().filter(({ parent }) => parent === null);
      for (const { id } of roots) await cancel(id, "A person stopped everything.");
      return roots.length;
    },
    /** Tries the model again before its usage limit is reset. */
    async resume(id: JobRunId): Promise<RunDetail> {
      await pauses.resume(id);
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
    /** A limit was raised elsewhere: runs that wait at one look at it again. */
    lookAgain: (): void => pauses.lookAgain(store.open()),
    /** Another run has ended: what it might have used of the day is free. */
    onMoneyFreed: (): void => pauses.onMoneyFreed(store.open()),
    /** Ends every process in mid-turn; the runs go on when the hall is opened again. */
    async close(): Promise<void> {
      isClosing = true;
      await deps.runner.close();
      await Promise.all(loops);
    },
  };
}

const stopped = { outcome: "failed", code: "stopped", message: "The run was stopped." } as const;

const conversationOf = ({ conversation }: JobRun) => ({ id: conversation, resume: false });
