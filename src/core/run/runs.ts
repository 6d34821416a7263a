import { HallError } from "../../schema/hall-error.ts";
import type { ApprovalId, RunId, SdkSessionId } from "../../schema/ids.ts";
import type { Run, RunDetail, RunPrompt, RunUsage, WaitingFor } from "../../schema/run.ts";
import type { AgentEnding, AgentEvent, AgentRun, AgentRunner, Gate, ToolContext, Transcript } from "../agent/agent-run.ts";
import { createTurns } from "../in-turn.ts";
import { isPassing } from "../passing-failure.ts";
import type { Schedule } from "../schedule.ts";
import { isAnsweredIn, nextStep } from "./next-step.ts";
import type { RunCall } from "./next-step.ts";
import { createPlaces } from "./places.ts";
import type { RunStore } from "./run-store.ts";

/** All of a run's next process but prompt, limits and conversation. */
export type Equipment = Pick<AgentRun, "systemPrompt" | "builtInTools" | "toolServers" | "folders"> & { gate: Gate };

export type RunsDeps = {
  store: RunStore;
  runner: AgentRunner;
  equip(run: Run, wait: Wait): Equipment;
  foldersOf(id: RunId): AgentRun["folders"];
  /** The calls that wait or waited. An approved call of the hall's own tools is run by this, once. */
  settleCalls(run: Run, transcript: Transcript, isAnswered: (callId: string) => boolean): Promise<RunCall[]>;
  onToolResult(run: Run, event: Extract<AgentEvent, { type: "tool_result" }>): Promise<void>;
  onEnded(run: Run): Promise<void>;
  processes: number;
  parkAfterMs: number;
  schedule: Schedule;
  now: () => string;
  newPromptId: () => string;
  newConversation: () => SdkSessionId;
  onProblem: (error: unknown) => void;
};

const retryMs = 1000;

/** Waits in a tool or a gate. `parked` says that the process must go, and that the run goes on without it. */
export type Wait = <Result>(context: ToolContext, what: WaitingFor, work: Promise<Result>) => Promise<{ settled: Result } | "parked">;

/** A run while it has a process, or waits for one. */
type Life = {
  abort: AbortController;
  /** Calls that began and have no result yet, and those of them that wait. */
  begun: Set<string>;
  waits: Map<string, WaitingFor>;
  parked: PromiseWithResolvers<"parked">;
  /** It has waited long enough for a person, or others need its place. */
  isDue: boolean;
};

export type Runs = ReturnType<typeof createRuns>;

/** Runs of the hall's own workers: each is a record first, then a process, and again a record while it waits for long. */
export function createRuns(deps: RunsDeps) {
  const { store, now } = deps;
  const lives = new Map<RunId, Life>();
  const inTurn = createTurns<RunId>();
  const saveInTurn = createTurns<RunId>();
  const endings = new Map<RunId, PromiseWithResolvers<Run>>();
  const loops = new Set<Promise<void>>();
  const places = createPlaces(deps.processes, relieve);
  let isClosing = false;

  const mustGet = (id: RunId): Run => {
    const run = store.get(id);
    if (run === null) throw new HallError("not_found", `There is no run ${id}.`);
    return run;
  };

  const isOpen = (id: RunId): boolean => {
    const run = store.get(id);
    return run !== null && !hasEnded(run);
  };

  const change = (id: RunId, next: (run: Run) => Run): Promise<Run> =>
    saveInTurn(id, async () => {
      const before = mustGet(id);
      const after = hasEnded(before) ? before : next(before);
      if (after !== before) await store.save(after);
      return after;
    });

  /** Lets a run go on if it can. Safe to call at any time. */
  function wake(id: RunId): void {
    const loop = inTurn(id, () => carryOn(id).catch((error: unknown) => breakOff(id, error)))
      .catch(deps.onProblem)
      .then(() => void loops.delete(loop));
    loops.add(loop);
  }

  /** A full or read-only disk is waited for. Anything else ends the run, so that no record says that it goes on. */
  async function breakOff(id: RunId, error: unknown): Promise<void> {
    deps.onProblem(error);
    if (isPassing(error)) return void deps.schedule(retryMs, () => wake(id));
    const message = error instanceof Error ? error.message : String(error);
    await end(id, { outcome: "failed", code: "internal", message: `The run broke off: ${message}` }).catch((failure: unknown) => {
      deps.onProblem(failure);
      deps.schedule(retryMs, () => wake(id));
    });
  }

  async function carryOn(id: RunId): Promise<void> {
    for (;;) {
      const run = mustGet(id);
      if (isClosing || hasEnded(run)) return;
      const next = await nextPrompt(run);
      if (next === "waits") return;
      const ending = "outcome" in next ? next : await play(mustGet(id), next);
      if (isClosing && ending.outcome === "failed") return;
      if (ending.outcome === "parked") continue;
      if (ending.outcome === "completed" || ending.code !== "session_expired") return end(id, ending);
      // A process that was killed early leaves no conversation to resume.
      await change(id, (each) => ({ ...each, conversation: deps.newConversation() }));
    }
  }

  /** The prompt for the next process. A run that has to wait says in its record for what. */
  async function nextPrompt(run: Run): Promise<RunPrompt | "waits" | Extract<AgentEnding, { outcome: "completed" }>> {
    const { id, parent } = run;
    const transcript = await deps.runner.transcript({ conversation: conversationOf(run), folders: deps.foldersOf(id) });
    const results = await store.results(id);
    const step = nextStep({ run, transcript, results, calls: await deps.settleCalls(run, transcript, isAnsweredIn(results)) });
    if (step.next === "send") return step.prompt;
    if (step.next === "end") return { outcome: "completed", text: step.text };
    if (step.next === "wait") {
      await change(id, (each) => ({ ...each, state: "waiting", waitingFor: step.for }));
      if (parent !== null) considerParking(parent);
      return "waits";
    }
    const prompt = { id: deps.newPromptId(), ...step.prompt };
    await change(id, (each) => ({ ...each, prompts: [...each.prompts, prompt] }));
    return prompt;
  }

  async function play(run: Run, prompt: RunPrompt): Promise<AgentEnding> {
    const life: Life = {
      abort: new AbortController(),
      begun: new Set(),
      waits: new Map(),
      parked: Promise.withResolvers(),
      isDue: false,
    };
    lives.set(run.id, life);
    const { signal } = life.abort;
    let leave = () => {};
    try {
      // It may have been stopped before there was a life to abort.
      if (hasEnded(mustGet(run.id))) return stopped;
      // A child never waits for a place: its parent has one, or has parked.
      if (run.parent === null) leave = await places.acquire(signal);
      const { attempt } = await change(run.id, (each) => ({ ...each, state: "running", waitingFor: null, attempt: each.attempt + 1 }));
      const limits = limitsLeft(run, await store.usage(run.id));
      if ("outcome" in limits) return limits;
      return await drive(run, life, { attempt, limits, prompt });
    } catch (error) {
      if (signal.aborted) return stopped;
      throw error;
    } finally {
      lives.delete(run.id);
      leave();
    }
  }

  async function drive(
    run: Run,
    life: Life,
    { attempt, limits, prompt }: { attempt: number; limits: AgentRun["limits"]; prompt: RunPrompt },
  ): Promise<AgentEnding> {
    const { gate, ...equipment } = deps.equip(run, (...wait) => waitIn(run, life, ...wait));
    let ending: AgentEnding = { outcome: "failed", code: "internal", message: "The agent ended without saying how." };
    const events = deps.runner.run({
      ...equipment,
      ...(run.model.name === null ? {} : { model: run.model.name }),
      prompt: prompt.text,
      promptId: prompt.id,
      conversation: conversationOf(run),
      limits,
      lane: run.root,
      signal: life.abort.signal,
      gate: (call, context) => {
        life.begun.add(call.id);
        return gate(call, context);
      },
    });
    for await (const event of events) {
      await store.log(run.id, attempt, event);
      if (event.type === "tool_result") {
        life.begun.delete(event.id);
        await deps.onToolResult(run, event);
        considerParking(run.id);
      }
      if (event.type === "ended") ending = event.ending;
    }
    return ending;
  }

  async function waitIn<Result>(
    run: Run,
    life: Life,
    { callId, signal, waitFor }: ToolContext,
    what: WaitingFor,
    work: Promise<Result>,
  ): Promise<{ settled: Result } | "parked"> {
    const kind = what.kind === "child" ? "child" : "person";
    const gone = Promise.withResolvers<never>();
    const giveUp = () => gone.reject(new Error("The run was stopped."));
    signal.addEventListener("abort", giveUp, { once: true });
    life.waits.set(callId, what);
    await show(run.id, { state: "waiting", waitingFor: what });
    const cancelTimer = deps.schedule(deps.parkAfterMs, () => {
      life.isDue = true;
      considerParking(run.id);
    });
    if (places.hasQueue()) relieve();
    considerParking(run.id);
    try {
      if (signal.aborted) giveUp();
      const waited = await waitFor(kind, () => Promise.race([work.then((settled) => ({ settled })), life.parked.promise, gone.promise]));
      life.waits.delete(callId);
      const [next] = life.waits.values();
      if (waited === "parked") return waited;
      await show(run.id, next === undefined ? { state: "running", waitingFor: null } : { waitingFor: next });
      return waited;
    } finally {
      cancelTimer();
      signal.removeEventListener("abort", giveUp);
      life.waits.delete(callId);
    }
  }

  /** What the record shows while a process lives. It decides nothing, so a disk that fails does not fail the call. */
  const show = async (id: RunId, shown: Partial<Run>): Promise<void> => {
    await change(id, (each) => ({ ...each, ...shown })).catch(deps.onProblem);
  };

  /** A process goes when each of its calls waits: for a person long enough, or for a child that has no process either. */
  function considerParking(id: RunId): void {
    const life = lives.get(id);
    if (life === undefined || !onlyWaits(life)) return;
    const isResting = (what: WaitingFor) =>
      what.kind === "child" ? !lives.has(what.run) && store.get(what.run)?.state === "waiting" : life.isDue;
    if ([...life.waits.values()].every(isResting)) life.parked.resolve("parked");
  }

  /** Frees a place for another root run: parks the tree that has waited longest for a person, among those in which every call waits. */
  function relieve(): void {
    const trees = Map.groupBy(lives, ([id]) => mustGet(id).root);
    const waiting = [...trees.values()].filter((tree) => tree.every(([, life]) => onlyWaits(life)));
    const [longest = []] = waiting.toSorted((a, b) => (waitsSince(a) < waitsSince(b) ? -1 : 1));
    for (const [id, life] of longest) {
      life.isDue = true;
      considerParking(id);
    }
  }

  async function end(id: RunId, ending: Exclude<AgentEnding, { outcome: "parked" }>): Promise<void> {
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
  async function ended(run: Run): Promise<void> {
    endings.get(run.id)?.resolve(run);
    endings.delete(run.id);
    if (run.parent !== null) wake(run.parent);
    await deps.onEnded(run).catch(deps.onProblem);
    for (const child of store.childrenOf(run.id)) await cancel(child.id, "The run that started it has ended.");
  }

  return {
    /** Settles the records that a hall left: none says that it runs, and each goes on if it can. */
    async start(): Promise<void> {
      const open = store.open();
      for (const { id } of open) await show(id, { state: "queued", waitingFor: null });
      for (const { id, parent } of open) {
        const isLeft = parent !== null && !isOpen(parent);
        if (isLeft) await cancel(id, "The run that started it has ended.").catch(deps.onProblem);
        else wake(id);
      }
    },
    isOpen,
    /** Accepts a run: it is durable when this resolves, and goes on by itself. */
    async accept(run: Run): Promise<Run> {
      if (isClosing) throw new HallError("shutting_down", "The hall is stopping and takes no new work.");
      await store.save(run);
      // Its parent may have been stopped since it made the call.
      if (run.parent !== null && !isOpen(run.parent)) await cancel(run.id, "The run that started it has ended.");
      else wake(run.id);
      return mustGet(run.id);
    },
    get: mustGet,
    async detail(id: RunId): Promise<RunDetail> {
      const run = mustGet(id);
      return { ...run, worker: run.profile.name, usage: await store.usage(id), children: store.childrenOf(id).map((child) => child.id) };
    },
    /** Resolves when the run has ended, however long that takes. */
    ended(id: RunId): Promise<Run> {
      const run = mustGet(id);
      if (hasEnded(run)) return Promise.resolve(run);
      const known = endings.get(id) ?? Promise.withResolvers<Run>();
      endings.set(id, known);
      return known.promise;
    },
    wake,
    /** Ends the run and all that it started. */
    async stop(id: RunId): Promise<Run> {
      await cancel(mustGet(id).id, "It was stopped.");
      return mustGet(id);
    },
    /** Ends every process in mid-turn; the runs go on when the hall is opened again. */
    async close(): Promise<void> {
      isClosing = true;
      await deps.runner.close();
      await Promise.all(loops);
    },
  };

  async function cancel(id: RunId, message: string): Promise<void> {
    if (!isOpen(id)) return;
    const cancelled = (each: Run): Run => ({
      ...each,
      state: "cancelled",
      waitingFor: null,
      endedAt: now(),
      ending: { code: "stopped", message },
    });
    // After the record, or the process would end it as failed; and also if the disk refuses the record.
    const run = await change(id, cancelled).finally(() => lives.get(id)?.abort.abort());
    await ended(run);
  }
}

const stopped = { outcome: "failed", code: "stopped", message: "The run was stopped." } as const;

/** Every call that began waits for something. */
const onlyWaits = ({ begun, waits }: Life): boolean => waits.size > 0 && [...begun].every((call) => waits.has(call));

const waitsSince = (tree: readonly (readonly [RunId, Life])[]): string =>
  tree.flatMap(([, { waits }]) => [...waits.values()].flatMap(({ kind, since }) => (kind === "person" ? [since] : []))).toSorted()[0] ??
  "~";

export const hasEnded = ({ state }: Pick<Run, "state">): boolean => state === "completed" || state === "failed" || state === "cancelled";

export const waitsForPerson = (approvalId: ApprovalId, since: string): WaitingFor => ({ kind: "person", since, approvalId });
export const waitsForChild = (run: RunId, since: string): WaitingFor => ({ kind: "child", since, run });

const conversationOf = ({ conversation }: Run) => ({ id: conversation, resume: false });

/** Each process counts from zero, so it is given what the earlier ones left. */
function limitsLeft({ profile: { limits } }: Run, used: RunUsage): AgentRun["limits"] | Extract<AgentEnding, { outcome: "failed" }> {
  const maxTurns = limits.max_turns - used.turns;
  const maxBudgetUsd = limits.max_budget_usd - used.costUsd;
  if (maxTurns <= 0) return { outcome: "failed", code: "max_turns", message: `The run reached its limit of ${limits.max_turns} turns.` };
  if (maxBudgetUsd <= 0) return { outcome: "failed", code: "budget", message: `The run reached its limit of $${limits.max_budget_usd}.` };
  return { maxTurns, maxBudgetUsd };
}
